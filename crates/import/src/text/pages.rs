//! Pages of 256 characters: what stands for the bytes from 128 up.
//!
//! The Windows pages are those of the WHATWG's encoding standard, the DOS pages those of the
//! Unicode consortium's tables. A byte that stands for nothing is U+FFFD; `~` stands for
//! all letters between its neighbours.

use super::Encoding;

/// Pages in the order in which they are preferred where a text reads as well in several.
pub(super) const PAGES: &[(Encoding, &str)] = &[
    (Encoding::Windows1252, "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ\u{a0}~ÿ"),
    (
        Encoding::Cp850,
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì\
         ▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{ad}±‗¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    (Encoding::Windows1251, "ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u{fffd}™љ›њќћџ\u{a0}ЎўЈ¤Ґ¦§Ё©Є«~®Ї°±Ііґµ¶·ё№є»јЅѕїА~я"),
    (Encoding::Cp866, "А~п░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀р~яЁёЄєЇїЎў°∙·√№¤■\u{a0}"),
    (
        Encoding::Windows1250,
        "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰Š‹ŚŤŽŹ\u{fffd}‘’“”•–—\u{fffd}™š›śťžź\u{a0}ˇ˘Ł¤Ą¦~©Ş«~®Ż°±˛ł´~¸ąş\
         »Ľ˝ľżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙",
    ),
    (
        Encoding::Cp852,
        "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ\
         ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u{ad}˝˛ˇ˘§÷¸°¨˙űŘř■\u{a0}",
    ),
    (
        Encoding::Cp437,
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐\
         ▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        Encoding::Windows1254,
        "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}\u{fffd}Ÿ\u{a0}~ÏĞÑ~ÜİŞ\
         ß~ïğñ~üışÿ",
    ),
    (
        Encoding::Cp857,
        "ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø£ØŞşáíóúñÑĞğ¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ºªÊËÈ\u{fffd}ÍÎ\
         Ï┘┌█▄¦Ì▀ÓßÔÒõÕµ\u{fffd}×ÚÛÙìÿ¯´\u{ad}±\u{fffd}¾¶§÷¸°¨·¹³²■\u{a0}",
    ),
    (
        Encoding::Windows1253,
        "€\u{fffd}‚ƒ„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—\u{fffd}™\
         \u{fffd}›\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{a0}΅Ά£~©\u{fffd}«~®―°~³΄µ¶·ΈΉΊ»Ό½Ύ~Ρ\u{fffd}Σ~ώ\
         \u{fffd}",
    ),
    (
        Encoding::Cp737,
        "Α~ΡΣ~Ωα~ρσςτ~ψ░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ωάέήϊίόύϋώΆΈΉΊΌΎΏ±≥≤ΪΫ÷≈°∙·√ⁿ²■\
         \u{a0}",
    ),
    (
        Encoding::Windows1257,
        "€\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}¨ˇ¸\u{fffd}‘’“”•–—\u{fffd}™\u{fffd}›\u{fffd}¯˛\
         \u{fffd}\u{a0}\u{fffd}¢£¤\u{fffd}¦§Ø©Ŗ«~®Æ°~·ø¹ŗ»~¾æĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽßąįāćäåęēčéź\
         ėģķīļšńņóōõö÷ųłśūüżž˙",
    ),
    (
        Encoding::Windows1255,
        "€\u{fffd}‚ƒ„…†‡ˆ‰\u{fffd}‹\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™\u{fffd}›\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{a0}~£₪¥~©×«~¹÷»~¿\u{5b0}~׃װ~״\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}א~ת\u{fffd}\u{fffd}\u{200e}\u{200f}\u{fffd}",
    ),
    (
        Encoding::Cp862,
        "א~ת¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷\
         ≈°∙·√ⁿ²■\u{a0}",
    ),
    (
        Encoding::Windows1256,
        "€پ‚ƒ„…†‡ˆ‰ٹ‹Œچژڈگ‘’“”•–—ک™ڑ›œ\u{200c}\u{200d}ں\u{a0}،¢~©ھ«~¹؛»~¾؟ہء~ض×ط~غـ~كàلâم~وç~ëىيîï\
         \u{64b}~\u{64e}ô\u{64f}\u{650}÷\u{651}ù\u{652}ûü\u{200e}\u{200f}ے",
    ),
    (
        Encoding::Windows874,
        "€\u{fffd}\u{fffd}\u{fffd}\u{fffd}…\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
         \u{fffd}\u{a0}ก~\u{e3a}\u{fffd}\u{fffd}\u{fffd}\u{fffd}฿~๛\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
    ),
    (
        Encoding::Koi8R,
        "─│┌┐└┘├┤┬┴┼▀▄█▌▐~▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ё╓~╡Ё╢~╬©юабцдефгхи~пяр~ужвьызшэщчъЮАБЦДЕФГХИ~ПЯР~УЖВЬЫЗ\
         ШЭЩЧЪ",
    ),
    (
        Encoding::Windows1258,
        "€\u{fffd}‚ƒ„…†‡ˆ‰\u{fffd}‹Œ\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—˜™\u{fffd}›œ\u{fffd}\u{fffd}Ÿ\
         \u{a0}~ÂĂÄ~Ë\u{300}ÍÎÏĐÑ\u{309}ÓÔƠÖ~ÜƯ\u{303}ß~âăä~ë\u{301}íîïđñ\u{323}óôơö~üư₫ÿ",
    ),
];
