//! Text -> the language that its words tell.
//!
//! `whatlang` compares trigrams and alphabets. It does not know Swahili, of which it takes a passage for one of a dozen
//! languages: its most frequent words tell it.

use whatlang::{Detector, Lang};

use crate::{limits, words};

/// Words from which a text is long enough to be told.
pub const WORDS: usize = 12;

/// Confidence from which another language than the expected one is believed.
const CONFIDENCE: f64 = 0.9;

const SWAHILI: &str = "sw";

/// Frequent words of Swahili that other languages of its alphabet do not have.
const SWAHILI_WORDS: [&str; 24] = [
    "ya", "kwa", "katika", "cha", "vya", "kwamba", "yake", "wake", "yao", "wao", "kama", "hiyo",
    "hii", "hicho", "lakini", "watu", "ambayo", "ambao", "kila", "baada", "kutoka", "kuwa", "huo",
    "mwa",
];

/// The share of these words from which a text is in Swahili.
const SWAHILI_SHARE: f64 = 0.08;

/// Languages that Swahili is taken for, and the share of its words from which a text in one of them is Swahili: no Bantu
/// language or Javanese is looked for where Swahili is.
const LIKE_SWAHILI: [(Lang, f64); 5] =
    [(Lang::Sna, 0.0), (Lang::Zul, 0.0), (Lang::Jav, 0.0), (Lang::Aka, 0.0), (Lang::Tgl, 0.03)];

/// Frequent words of Indonesian, which is taken for Javanese too where it is looked for.
const INDONESIAN_WORDS: [&str; 12] = [
    "yang", "dan", "dengan", "tidak", "untuk", "dari", "adalah", "pada", "itu", "ini", "saya",
    "ada",
];

/// The language that a text's words tell; `None` where they are too few or tell none. `expected` is the language that it is
/// unless they tell another one without doubt. If it is the nearest of `among`, no others are looked at: that takes less
/// time, and lists of names seem to be in fewer languages.
pub fn told(text: &str, expected: Option<&str>, among: &[String]) -> Option<String> {
    let words = words_of(text);
    if words.len() < WORDS {
        return None;
    }
    let text = words.join(" ");
    let of_expected = expected.and_then(lang_of);
    let is_expected = |lang: Lang| Some(lang) == of_expected;
    if let Some(of_expected) = of_expected
        && !among.is_empty()
    {
        let among = among.iter().filter_map(|name| lang_of(name));
        let detector = Detector::with_allowlist(among.chain([of_expected]).collect());
        if detector.detect_lang(&text).is_some_and(is_expected) {
            return None;
        }
    }
    let found = whatlang::detect(&text);
    if found.as_ref().is_some_and(|found| is_expected(found.lang())) {
        return None;
    }
    let is_looked_for = expected.is_none() && among.iter().any(|name| name == SWAHILI);
    let is_indonesian = |lang: Lang| {
        let is_word = |word: &String| INDONESIAN_WORDS.contains(&word.as_str());
        lang == Lang::Jav && among.iter().any(|name| name == "id") && words.iter().any(is_word)
    };
    let is_like = |(lang, share): &(Lang, f64)| {
        found.as_ref().is_some_and(|found| found.lang() == *lang)
            && share_of_swahili(&words) >= *share
            && !is_indonesian(*lang)
    };
    if is_swahili(&words) || is_looked_for && LIKE_SWAHILI.iter().any(is_like) {
        return (expected != Some(SWAHILI)).then(|| SWAHILI.to_owned());
    }
    let found = found?;
    let is_sure = match (expected, of_expected) {
        (None, _) => found.is_reliable(),
        // Such as Swahili: the nearest that is known says little.
        (Some(_), None) => found.lang() == Lang::Eng && found.confidence() >= CONFIDENCE,
        (Some(_), Some(expected)) => {
            let either = Detector::with_allowlist(vec![expected, found.lang()]).detect(&text);
            let either = either.filter(|either| either.lang() == found.lang());
            let confidence = either.map_or(0.0, |either| either.confidence());
            found.confidence().min(confidence) >= CONFIDENCE
        }
    };
    is_sure.then(|| name_of(found.lang()).to_owned())
}

/// The language of a text among some, as far as a few words tell; `None` if it has none, or one of the languages is not
/// known.
pub fn guessed(text: &str, languages: &[String]) -> Option<String> {
    let words = words_of(text);
    let is_there = |name: &str| languages.iter().any(|language| language == name);
    if is_there(SWAHILI) && !words.is_empty() && is_swahili(&words) {
        return Some(SWAHILI.to_owned());
    }
    let others = languages.iter().filter(|name| *name != SWAHILI);
    let known: Vec<Lang> = others.map(|name| lang_of(name)).collect::<Option<_>>()?;
    let found = Detector::with_allowlist(known).detect_lang(&words.join(" "))?;
    Some(name_of(found).to_owned())
}

/// The number of words of a text that tell its language.
pub fn count(text: &str) -> usize {
    words_of(text).len()
}

/// The words of the beginning of a text that are nothing but letters: names of files, options and numbers tell nothing.
fn words_of(text: &str) -> Vec<String> {
    words::of_letters(&text[..text.floor_char_boundary(limits::TOLD_BYTES)])
}

fn is_swahili(words: &[String]) -> bool {
    share_of_swahili(words) >= SWAHILI_SHARE
}

/// The share of the words, of which there is one at least, that are frequent ones of Swahili.
fn share_of_swahili(words: &[String]) -> f64 {
    let found = words.iter().filter(|word| SWAHILI_WORDS.contains(&word.as_str())).count();
    found as f64 / words.len().max(1) as f64
}

/// What a language is called in a model.
fn name_of(lang: Lang) -> &'static str {
    NAMES.iter().find(|(code, _)| *code == lang.code()).map_or(lang.code(), |(_, name)| name)
}

fn lang_of(name: &str) -> Option<Lang> {
    let code = NAMES.iter().find(|(_, known)| *known == name).map_or(name, |(code, _)| code);
    Lang::from_code(code)
}

/// The codes of ISO 639-3 with the shorter ones of ISO 639-1.
const NAMES: [(&str, &str); 70] = [
    ("afr", "af"),
    ("aka", "ak"),
    ("amh", "am"),
    ("ara", "ar"),
    ("aze", "az"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bul", "bg"),
    ("cat", "ca"),
    ("ces", "cs"),
    ("cmn", "zh"),
    ("cym", "cy"),
    ("dan", "da"),
    ("deu", "de"),
    ("ell", "el"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("fin", "fi"),
    ("fra", "fr"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("hye", "hy"),
    ("ind", "id"),
    ("ita", "it"),
    ("jav", "jv"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kat", "ka"),
    ("khm", "km"),
    ("kor", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("mkd", "mk"),
    ("mya", "my"),
    ("nep", "ne"),
    ("nld", "nl"),
    ("nob", "nb"),
    ("ori", "or"),
    ("pan", "pa"),
    ("pes", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("ron", "ro"),
    ("rus", "ru"),
    ("sin", "si"),
    ("slk", "sk"),
    ("slv", "sl"),
    ("sna", "sn"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tgl", "tl"),
    ("tha", "th"),
    ("tuk", "tk"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("uzb", "uz"),
    ("vie", "vi"),
    ("yid", "yi"),
    ("zul", "zu"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const FRENCH: &str = "La pluie tombe depuis hier sur la montagne, et le vent souffle dans les arbres de la forêt.";
    const ITALIAN: &str =
        "La pioggia cade da ieri sulla montagna, e il vento soffia tra gli alberi della foresta.";
    const ENGLISH: &str = "Rain has been falling on the mountain since yesterday, and the wind blows through the trees.";
    const SPANISH: &str = "La lluvia cae desde ayer sobre la montaña, y el viento sopla entre los árboles del bosque.";
    const TAGALOG: &str =
        "Umuulan sa bundok mula pa kahapon, at ang hangin ay umiihip sa mga puno ng kagubatan.";
    const OF_SWAHILI: &str = "Mvua imekuwa ikinyesha mlimani tangu jana, na upepo unavuma kwa nguvu kati ya miti katika msitu.";

    const GERMAN: &str =
        "Seit gestern fällt der Regen auf den Berg, und der Wind weht durch die Bäume des Waldes.";
    const PORTUGUESE: &str =
        "A chuva cai desde ontem sobre a montanha, e o vento sopra entre as árvores da floresta.";
    const RUSSIAN: &str = "Со вчерашнего дня в горах идёт дождь, ветер качает деревья в лесу, и вода в реке поднимается всё выше с каждым часом.";
    const CHINESE: &str = "从昨天开始山上一直在下雨，风吹过森林里的树木，河水也涨起来了。";
    const INDONESIAN: &str = "Hujan turun di gunung sejak kemarin, dan angin bertiup di antara pohon-pohon yang tinggi di hutan itu.";
    const ARABIC: &str =
        "يهطل المطر على الجبل منذ أمس، وتهب الرياح بين أشجار الغابة، ويرتفع ماء النهر كل ساعة.";
    const HINDI: &str = "कल से पहाड़ पर बारिश हो रही है और हवा जंगल के पेड़ों के बीच से बह रही है।";

    #[test]
    fn a_text_without_an_expected_language_is_told_by_its_words() {
        for (text, language) in [
            (FRENCH, "fr"),
            (ITALIAN, "it"),
            (ENGLISH, "en"),
            (SPANISH, "es"),
            (TAGALOG, "tl"),
            (OF_SWAHILI, "sw"),
            (GERMAN, "de"),
            (PORTUGUESE, "pt"),
            (RUSSIAN, "ru"),
            (CHINESE, "zh"),
            (INDONESIAN, "id"),
            (ARABIC, "ar"),
            (HINDI, "hi"),
        ] {
            assert_eq!(told(text, None, &[]).as_deref(), Some(language), "{text}");
            assert_eq!(told(text, Some(language), &[]), None, "{text}");
        }
    }

    #[test]
    fn indonesian_is_not_taken_for_swahili_where_both_are_looked_for() {
        // Of trigrams alone it seems Javanese, which Swahili seems too.
        let text = "Tom suka jalan kaki. Apa kamu mau jalan kaki? Saya lapar dan mau makan nasi goreng sama kamu.";
        let both = ["id", "sw"].map(str::to_owned);
        assert_eq!(Detector::new().detect_lang(&text.to_lowercase()), Some(Lang::Jav));
        assert_ne!(told(text, None, &both).as_deref(), Some("sw"));
    }

    #[test]
    fn a_page_in_chinese_about_commands_is_not_taken_for_english() {
        let text = "在 Debian 系统中，可以用 apt-get install firefox-esr 命令来安装软件，\
                    也可以用 aptitude 或者 synaptic 程序，然后编辑配置文件并重新启动服务。";
        for expected in [None, Some("zh")] {
            let language = told(text, expected, &[]).or(expected.map(str::to_owned));
            assert_eq!(language.as_deref(), Some("zh"));
        }
    }

    #[test]
    fn only_another_language_than_the_expected_one_is_told() {
        for (text, language) in [(FRENCH, "fr"), (ITALIAN, "it"), (ENGLISH, "en"), (TAGALOG, "tl")]
        {
            assert_eq!(told(text, Some(language), &[]), None, "{text}");
        }
        for expected in ["fr", "it", "tl", "sw"] {
            assert_eq!(told(ENGLISH, Some(expected), &[]).as_deref(), Some("en"), "{expected}");
        }
        assert_eq!(told(SPANISH, Some("it"), &[]).as_deref(), Some("es"));
        // It is looked at beside some others first.
        let some = ["it", "en"].map(str::to_owned);
        assert_eq!(told(ITALIAN, Some("it"), &some), None);
        assert_eq!(told(ENGLISH, Some("it"), &some).as_deref(), Some("en"));
        assert_eq!(told(FRENCH, Some("it"), &some).as_deref(), Some("fr"));
        // Few words, or words that are none, tell nothing.
        assert_eq!(told("Rain has been falling on the mountain", Some("fr"), &[]), None);
        assert_eq!(
            told(&"/usr/share/doc --help stat_file.c 0x12 ".repeat(20), Some("fr"), &[]),
            None
        );
    }

    #[test]
    fn a_few_words_are_guessed_among_some_languages() {
        let languages = ["fr", "it", "sw", "en"].map(str::to_owned);
        for (text, language) in [
            ("La pluie tombe sur la forêt", "fr"),
            ("La pioggia cade sulla foresta", "it"),
            ("The rain falls on the forest", "en"),
            ("Mvua ya leo kwa watu", "sw"),
        ] {
            assert_eq!(guessed(text, &languages).as_deref(), Some(language), "{text}");
        }
        assert_eq!(guessed("12 34", &languages), None);
        assert_eq!(guessed("The rain", &["xx", "en"].map(str::to_owned)), None);
    }

    #[test]
    fn the_beginning_of_a_text_tells_its_language_up_to_the_limit() {
        for (bytes, words) in [
            (limits::TOLD_BYTES - 2, limits::TOLD_BYTES / 2 - 1),
            (limits::TOLD_BYTES, limits::TOLD_BYTES / 2),
            (limits::TOLD_BYTES + 2, limits::TOLD_BYTES / 2),
        ] {
            assert_eq!(count(&"a ".repeat(bytes / 2)), words, "{bytes}");
        }
    }

    #[test]
    fn every_language_that_whatlang_knows_has_a_name() {
        for lang in Lang::all() {
            assert_eq!(lang_of(name_of(*lang)), Some(*lang));
            assert_eq!(name_of(*lang).len(), 2, "{lang}");
        }
    }
}
