//! Names: the one that was probably meant, lists of them, one that is free.

/// The candidate closest to `word` by letters added, dropped, changed or swapped, the case of a to z aside.
/// `None` if all are further away than a third of the word.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    candidates
        .into_iter()
        .map(|c| (distance(&word, &c.to_ascii_lowercase()), c))
        .filter(|(d, c)| 3 * d <= word.chars().count().max(c.chars().count()))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Names for a sentence: `a, b and c`, cut after the first few.
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let names: Vec<_> = names.into_iter().collect();
    match names.as_slice() {
        [] => "none".to_owned(),
        [one] => (*one).to_owned(),
        [most @ .., last] if names.len() <= MOST => format!("{} and {last}", most.join(", ")),
        many => format!("{} and {} more", many[..MOST].join(", "), many.len() - MOST),
    }
}

/// `base` if it is free, else `base-2` and so on.
pub(crate) fn free_name(base: &str, is_free: impl Fn(&str) -> bool) -> String {
    let mut name = base.to_owned();
    let mut n = 2;
    while !is_free(&name) {
        name = format!("{base}-{n}");
        n += 1;
    }
    name
}

/// Edits between two words, a swap of neighbours counting as one.
fn distance(a: &str, b: &str) -> usize {
    // Long words are compared by their beginnings: names are short, and the table is square.
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut rows = vec![(0..=b.len()).collect::<Vec<_>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let change = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let check = |word, expected| assert_eq!(nearest(word, ["trace", "title", "caption", "a"]), expected);
        check("trcae", Some("trace"));
        check("Title", Some("title"));
        check("captions", Some("caption"));
        check("volume", None);
        check("", None);
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list([]), "none");
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b", "c"]), "a, b and c");
        assert_eq!(list(["x"; 14]), format!("{}x and 2 more", "x, ".repeat(11)));
    }
}
