//! What each role of a figure looks like: colour, dash and type, on light and on dark paper.

use netspurt_core::figure::Role;
use plotters_backend::BackendColor;

/// A colour without transparency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    const fn hex(v: u32) -> Self {
        let [_, r, g, b] = v.to_be_bytes();
        Self(r, g, b)
    }

    pub(crate) fn alpha(self, alpha: f64) -> BackendColor {
        BackendColor { alpha, rgb: (self.0, self.1, self.2) }
    }
}

/// The colours of one kind of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// What figures lie on; halos have its colour.
    pub paper: Rgb,
    /// Cells whose value is not known yet.
    pub well: Rgb,
    /// Behind what is looked at.
    pub select: Rgb,
    pub ink: Rgb,
    /// Tick labels and plain words.
    pub ink2: Rgb,
    /// Names of axes.
    pub ink3: Rgb,
    /// Gridlines.
    pub rule: Rgb,
    /// Axes.
    pub rule2: Rgb,
    pub series: [Rgb; 4],
    pub alarm: Rgb,
    pub alarm_text: Rgb,
    pub dot: Rgb,
    /// Colours of cells from the lowest value to the highest.
    pub heat: [Rgb; 6],
}

const LIGHT: Theme = Theme {
    paper: Rgb::hex(0x00FC_FBF8),
    well: Rgb::hex(0x00F4_F2EC),
    select: Rgb::hex(0x00E3_EEF5),
    ink: Rgb::hex(0x001A_1E23),
    ink2: Rgb::hex(0x0046_4C54),
    ink3: Rgb::hex(0x0064_6A72),
    rule: Rgb::hex(0x00DE_DAD0),
    rule2: Rgb::hex(0x008A_8A85),
    series: [Rgb::hex(0x0000_72B2), Rgb::hex(0x00A0_6000), Rgb::hex(0x0000_805E), Rgb::hex(0x00A8_457E)],
    alarm: Rgb::hex(0x00C0_4A00),
    alarm_text: Rgb::hex(0x00A8_3F00),
    dot: Rgb::hex(0x007C_828A),
    heat: [
        Rgb::hex(0x00F1_F0E6),
        Rgb::hex(0x00BF_D9E6),
        Rgb::hex(0x006F_AFD2),
        Rgb::hex(0x001F_7DB5),
        Rgb::hex(0x000A_4C7A),
        Rgb::hex(0x0006_233D),
    ],
};

const DARK: Theme = Theme {
    paper: Rgb::hex(0x0014_171B),
    well: Rgb::hex(0x001C_2026),
    select: Rgb::hex(0x001B_3345),
    ink: Rgb::hex(0x00EC_E9E2),
    ink2: Rgb::hex(0x00BF_C2C4),
    ink3: Rgb::hex(0x0098_9DA3),
    rule: Rgb::hex(0x0030_363D),
    rule2: Rgb::hex(0x006E_757D),
    series: [Rgb::hex(0x005B_B8EE), Rgb::hex(0x00ED_AA2B), Rgb::hex(0x002C_C195), Rgb::hex(0x00E0_93BE)],
    alarm: Rgb::hex(0x00F5_864A),
    alarm_text: Rgb::hex(0x00F7_9A66),
    dot: Rgb::hex(0x0086_8D95),
    heat: [
        Rgb::hex(0x001B_2229),
        Rgb::hex(0x001E_4059),
        Rgb::hex(0x0022_658F),
        Rgb::hex(0x0033_91C9),
        Rgb::hex(0x007C_C4F2),
        Rgb::hex(0x00DC_EFFB),
    ],
};

/// The page's sans, or what a reader of an exported figure may have instead.
pub(crate) const SANS: &str = "'Netspurt Sans','Source Sans 3','Source Sans 3 Variable',system-ui,\
                               'Segoe UI',Roboto,'Helvetica Neue',sans-serif";
/// The typewriter face: words and numbers as a source printed them.
pub(crate) const MONO: &str = "'Netspurt Mono','IBM Plex Mono',ui-monospace,Menlo,Consolas,monospace";

/// How words of a role are set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Type {
    pub(crate) colour: Rgb,
    /// CSS pixels.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) italic: bool,
    pub(crate) family: &'static str,
}

impl Theme {
    pub const fn light() -> &'static Self {
        &LIGHT
    }

    pub const fn dark() -> &'static Self {
        &DARK
    }

    /// The colour of a role's lines and glyphs.
    pub fn colour(&self, role: Role) -> Rgb {
        match role {
            Role::Series(i) => self.series[i % self.series.len()],
            Role::Data => self.dot,
            Role::Alarm => self.alarm,
            Role::Printed | Role::Ink | Role::Inferred => self.ink,
            Role::Quiet => self.rule2,
            Role::Heat => self.shade(SHADES),
        }
    }

    /// A colour of the ramp, from 0 for the lowest value to [`SHADES`] for the highest.
    pub(crate) fn shade(&self, shade: usize) -> Rgb {
        let at = shade.min(SHADES) as f64 / SHADES as f64 * (self.heat.len() - 1) as f64;
        let below = (at as usize).min(self.heat.len() - 2);
        let t = at - below as f64;
        let mix = |a: u8, b: u8| (f64::from(a) + t * (f64::from(b) - f64::from(a))).round() as u8;
        let (Rgb(r, g, b), Rgb(s, h, c)) = (self.heat[below], self.heat[below + 1]);
        Rgb(mix(r, s), mix(g, h), mix(b, c))
    }

    pub(crate) fn words(&self, role: Role, strong: bool) -> Type {
        let plain = |colour| Type { colour, size: 12.0, bold: strong, italic: false, family: SANS };
        match role {
            Role::Series(_) => Type { size: 13.0, bold: true, ..plain(self.colour(role)) },
            Role::Alarm => plain(self.alarm_text),
            Role::Inferred => Type { italic: true, ..plain(self.ink2) },
            Role::Printed if strong => Type { bold: false, family: MONO, ..plain(self.ink) },
            Role::Printed => Type { bold: false, family: MONO, ..plain(self.ink2) },
            Role::Ink | Role::Data if strong => plain(self.ink),
            Role::Ink | Role::Data => plain(self.ink2),
            Role::Quiet | Role::Heat => plain(self.ink3),
        }
    }
}

/// Steps of the ramp; more would not be told apart.
pub(crate) const SHADES: usize = 120;

/// Lengths drawn and left out in turn, in CSS pixels; empty for a solid line.
pub(crate) fn dash(role: Role) -> &'static [f64] {
    match role {
        Role::Series(i) => [&[][..], &[5.0, 2.5], &[1.5, 2.0], &[6.0, 2.0, 1.5, 2.0]][i % 4],
        _ => &[],
    }
}

/// Dashes of lines over cells.
pub(crate) const CONTOUR_DASH: &[f64] = &[4.0, 3.0];
/// Dashes of rules that are not data.
pub(crate) const RULE_DASH: &[f64] = &[3.0, 3.0];
/// Dashes of the drops below lost packets.
pub(crate) const DROP_DASH: &[f64] = &[2.0, 3.0];

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2 contrast.
    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let channel = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.040_45 { v / 12.92 } else { libm::pow((v + 0.055) / 1.055, 2.4) }
        };
        let light = |Rgb(r, g, b)| 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
        let (a, b) = (light(a) + 0.05, light(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn the_ramp_goes_one_way() {
        for (theme, sign) in [(LIGHT, -1.0), (DARK, 1.0)] {
            let light = |i| contrast(theme.shade(i), Rgb(0, 0, 0));
            for i in 0..SHADES {
                assert!(sign * (light(i + 1) - light(i)) >= 0.0, "{i}");
            }
            assert_eq!((theme.shade(0), theme.shade(SHADES)), (theme.heat[0], theme.heat[5]));
            assert_eq!(theme.shade(2 * SHADES / 5), theme.heat[2]);
        }
    }

    #[test]
    fn words_stand_out_from_paper() {
        for theme in [LIGHT, DARK] {
            for i in 0..5 {
                for role in [Role::Series(i), Role::Alarm, Role::Printed, Role::Ink, Role::Quiet] {
                    let c = contrast(theme.words(role, false).colour, theme.paper);
                    assert!(c >= 4.5, "{role:?}: {c}");
                }
            }
            for colour in [theme.dot, theme.rule2, theme.alarm] {
                assert!(contrast(colour, theme.paper) >= 3.0);
            }
        }
    }
}
