//! The lessons that ship with the notebook.

/// A shipped document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lesson {
    /// Its place in the course.
    pub number: u32,
    /// Its name in links.
    pub id: &'static str,
    pub title: &'static str,
    /// What it is about, in a few words.
    pub gloss: &'static str,
    pub minutes: u32,
    pub text: &'static str,
}

/// In the order of the course.
pub const LESSONS: &[Lesson] = &[
    Lesson {
        number: 2,
        id: "guessing-how-long-to-wait",
        title: "Guessing how long to wait",
        gloss: "An estimator, and the step that fools it",
        minutes: 12,
        text: include_str!("../../../www/lessons/2-guessing-how-long-to-wait.md"),
    },
    Lesson {
        number: 3,
        id: "one-smoothing-factor-or-two",
        title: "One smoothing factor, or two?",
        gloss: "The change proposed in 1983",
        minutes: 15,
        text: include_str!("../../../www/lessons/3-one-smoothing-factor-or-two.md"),
    },
];

/// What stands there at a first visit.
pub const FIRST: &str = "one-smoothing-factor-or-two";

/// The lesson of this id.
pub fn lesson(id: &str) -> Option<&'static Lesson> {
    LESSONS.iter().find(|l| l.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn the_list_says_what_the_texts_say() {
        assert!(lesson(FIRST).is_some());
        for l in LESSONS {
            let d = Document::parse(l.text);
            assert_eq!(d.title(), Some(l.title));
            assert!(l.text.contains(&format!("*Lesson {} ·", l.number)), "{}", l.id);
            assert!(l.text.contains(&format!("{} minutes*", l.minutes)), "{}", l.id);
            assert_eq!(d.errors().count(), 0, "{}: {:?}", l.id, d.errors().next());
        }
    }
}
