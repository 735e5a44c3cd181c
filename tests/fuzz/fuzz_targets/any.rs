//! Whatever the bytes are taken for, in each way in which a reader may want them.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netspurt_import::{BadRows, Choice, Options, numbers, preview, read};

fuzz_target!(|bytes: &[u8]| {
    let of = |bad_rows, choice| Options { bad_rows, choice, ..Options::default() };
    let _ = read(bytes, &of(BadRows::Ask, Choice::Usual));
    let _ = read(bytes, &of(BadRows::Lost, Choice::One(1)));
    if let Ok(all) = read(bytes, &of(BadRows::LeaveOut, Choice::All)) {
        let (sent, received) = (all.counts.sent, all.counts.received);
        assert!(sent.zip(received).is_none_or(|(sent, received)| received <= sent));
        let options = of(BadRows::LeaveOut, Choice::Usual);
        for question in preview(bytes, &options, 6).into_iter().flat_map(|p| p.questions) {
            for answer in question.answers.into_iter().take(4) {
                let _ = read(bytes, &Options { reading: Some(answer.reading), ..options.clone() });
            }
        }
    }
    let _ = numbers(bytes);
});
