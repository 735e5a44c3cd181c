//! Style sheets: joined into one, with the files they name hashed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::Dist;

/// Adds the sheets to `dist` as one file, in order, with every file they name; returns its name.
/// `used` collects the paths of those files.
pub(super) fn add(
    dist: &mut Dist,
    root: &Path,
    sheets: &[String],
    used: &mut BTreeSet<PathBuf>,
) -> Result<String> {
    let mut joined = String::new();
    for sheet in sheets {
        let css = fs::read_to_string(root.join(sheet)).with_context(|| sheet.clone())?;
        let folder = Path::new(sheet).parent().unwrap_or(Path::new(""));
        let css = rewrite(&css, |address, rule| {
            let path = plain(&folder.join(address));
            let bytes = fs::read(root.join(&path)).with_context(|| format!("{sheet} names {address}"))?;
            // A face for some characters is loaded where one of them stands.
            let is_for_some = rule.contains("unicode-range");
            let add = if is_for_some { Dist::add_later } else { Dist::add_hashed };
            let name = add(dist, &path.to_string_lossy(), bytes);
            used.insert(path);
            Ok(name)
        })?;
        joined.push_str(&css);
        joined.push('\n');
    }
    let first = sheets.first().context("index.html names no style sheet")?;
    Ok(dist.add_hashed(first, joined.into_bytes()))
}

/// Replaces the address in each `url(…)` that names a file of ours. `rename` hears the address and the
/// rule it stands in.
fn rewrite(css: &str, mut rename: impl FnMut(&str, &str) -> Result<String>) -> Result<String> {
    let mut written = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(start) = rest.find("url(") {
        let (before, from) = rest.split_at(start + 4);
        let end = from.find(')').context("a url( is not closed")?;
        let address = from[..end].trim().trim_matches(['"', '\'']);
        written.push_str(before);
        if address.starts_with("data:") || address.starts_with('#') {
            written.push_str(&from[..end]);
        } else if address.contains("//") || address.starts_with('/') {
            bail!(
                "url({address}) is not relative, and the page must work without any other host, under any path"
            );
        } else {
            written.push_str(&rename(address, rule_at(css, css.len() - from.len()))?);
        }
        rest = &from[end..];
    }
    written.push_str(rest);
    Ok(written)
}

/// What stands between the braces around a place.
fn rule_at(css: &str, at: usize) -> &str {
    let start = css[..at].rfind('{').map_or(0, |brace| brace + 1);
    let end = css[at..].find('}').map_or(css.len(), |brace| at + brace);
    &css[start..end]
}

/// The path without `.` and `..`, so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(css: &str, expected: &str) {
        assert_eq!(rewrite(css, |address, _| Ok(format!("<{address}>"))).unwrap(), expected);
    }

    #[test]
    fn addresses_of_files_are_replaced() {
        check("a{src:url(f/x.woff2) format(\"woff2\")}b{}", "a{src:url(<f/x.woff2>) format(\"woff2\")}b{}");
        check("url( 'a.svg' )url(\"b.svg\")", "url(<a.svg>)url(<b.svg>)");
        check("a{}", "a{}");
    }

    #[test]
    fn addresses_within_the_sheet_stay() {
        check("url(data:,x)url(\"data:,y\")url(#clip)", "url(data:,x)url(\"data:,y\")url(#clip)");
    }

    #[test]
    fn an_address_is_told_with_its_rule() {
        let css = "a{b:url(c);d:e}f{src:url(g)}";
        let told = rewrite(css, |address, rule| Ok(format!("{address} in {rule}"))).unwrap();
        assert_eq!(told, "a{b:url(c in b:url(c);d:e);d:e}f{src:url(g in src:url(g))}");
    }

    #[test]
    fn addresses_elsewhere_are_refused() {
        for css in ["url(https://example.org/a)", "url(//example.org/a)", "url(/a)", "url(a"] {
            assert!(rewrite(css, |_, _| Ok(String::new())).is_err(), "{css}");
        }
    }

    #[test]
    fn one_file_has_one_name() {
        assert_eq!(plain(Path::new("www/./css/../fonts/a.woff2")), Path::new("www/fonts/a.woff2"));
    }
}
