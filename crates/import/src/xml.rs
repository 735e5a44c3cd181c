//! XML as a row of tags: enough for dumps and reports. There are no entities but the five that stand
//! for a sign.

use memchr::memchr;

use crate::text::{find, past};

/// A tag and the text up to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tag<'a> {
    /// Without the slash of a closing tag.
    pub(crate) name: &'a [u8],
    pub(crate) closes: bool,
    attributes: &'a [u8],
    /// Without the blanks around it.
    pub(crate) text: &'a [u8],
    /// The last comment before it.
    pub(crate) comment: &'a [u8],
}

impl<'a> Tag<'a> {
    pub(crate) fn opens(&self, name: &str) -> bool {
        !self.closes && self.name == name.as_bytes()
    }

    /// The value of an attribute, in quotes in the file.
    pub(crate) fn attribute(&self, name: &str) -> Option<&'a [u8]> {
        let mut rest = self.attributes;
        loop {
            let at = memchr(b'=', rest)?;
            let found = rest[..at].trim_ascii();
            let value = rest[at + 1..].trim_ascii_start();
            let quote = *value.first().filter(|b| matches!(b, b'"' | b'\''))?;
            let end = memchr(quote, &value[1..])?;
            if found == name.as_bytes() {
                return Some(&value[1..=end]);
            }
            rest = &value[end + 2..];
        }
    }
}

/// The tags of a text; comments and declarations are none.
pub(crate) fn tags(text: &[u8]) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = text;
    let mut comment: &[u8] = &[];
    std::iter::from_fn(move || {
        loop {
            rest = &rest[memchr(b'<', rest)? + 1..];
            if let Some(inner) = past(rest, "!--") {
                let end = find(inner, b"-->")?;
                comment = inner[..end].trim_ascii();
                rest = &inner[end + 3..];
                continue;
            }
            let inner = &rest[..memchr(b'>', rest)?];
            rest = &rest[inner.len() + 1..];
            if matches!(inner.first(), Some(b'!' | b'?')) {
                continue;
            }
            let (closes, inner) = past(inner, "/").map_or((false, inner), |i| (true, i));
            let name = inner.iter().position(|b| b.is_ascii_whitespace() || *b == b'/');
            let (name, attributes) = inner.split_at(name.unwrap_or(inner.len()));
            let text = rest[..memchr(b'<', rest).unwrap_or(rest.len())].trim_ascii();
            return Some(Tag { name, closes, attributes, text, comment: std::mem::take(&mut comment) });
        }
    })
}

/// Text with the signs that stand for themselves put back.
pub(crate) fn plain(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.into_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_a_name_attributes_and_text() {
        let text = b"<?xml version=\"1.0\"?><!DOCTYPE x><a b=\"1\" c='2>'>t</a><!-- n --><v/> x <w";
        let got: Vec<_> = tags(text)
            .map(|t| {
                let s = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
                format!("{}{}:{}:{}", if t.closes { "/" } else { "" }, s(t.name), s(t.text), s(t.comment))
            })
            .collect();
        // A bracket in an attribute ends the tag: no tool here writes one.
        assert_eq!(got, ["a:'>t:", "/a::", "v:x:n"]);
        let a = tags(b"<a b=\"1\" cc = '2'/>").next().unwrap();
        assert_eq!(
            (a.attribute("b"), a.attribute("cc"), a.attribute("c")),
            (Some(&b"1"[..]), Some(&b"2"[..]), None)
        );
        assert_eq!(plain(b"a &lt;&amp;lt;"), "a <&lt;");
    }
}
