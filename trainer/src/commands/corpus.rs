//! `corpus`: writes the built-in corpus as the files that `train` reads, as a folder and as pairs.

use std::collections::BTreeMap;

use crate::data::builtin;
use crate::error::Error;
use crate::files;
use crate::terminal::values::language;
use clap::Args;
use std::path::PathBuf;

/// `corpus`
#[derive(Debug, Args)]
pub struct Corpus {
    /// The documents' language
    #[arg(long, value_parser = language)]
    pub language: String,
    /// The output folder of queries.tsv, documents.tsv and relevance.tsv
    #[arg(long)]
    pub out: PathBuf,
}

/// Writes queries, documents and grades; the texts of each entry as pairs; and what people ask with
/// what answers it: English names and queries with the entry's document, such queries in the
/// document's language with its English text. The queries of the folder that are entries' names are left out: a folder
/// has no way to say that they are only trained on.
pub fn run(arguments: &Corpus) -> Result<(), Error> {
    let languages = std::slice::from_ref(&arguments.language);
    let (mut queries, mut documents, mut grades) = (String::new(), String::new(), String::new());
    let mut texts: BTreeMap<String, [String; 2]> = BTreeMap::new();
    for collection in builtin::collections(languages, builtin::GRADES)? {
        let described = collection.queries.iter().zip(&collection.judged);
        for (query, judged) in described.filter(|(query, _)| query.belongs_to.is_none()) {
            queries.push_str(&format!("{}\t{}\t{}\n", query.id, query.title, query.text));
            for judged in judged {
                let document = &collection.documents[judged.document as usize];
                grades.push_str(&format!("{}\t{}\t{}\n", query.id, document.id, judged.grade));
                if usize::from(judged.grade) + 1 == builtin::GRADES {
                    texts.insert(query.id.clone(), [query.text.clone(), document.text.clone()]);
                }
            }
        }
        for document in &collection.documents {
            let line = format!("{}\t{}\t{}\n", document.id, document.title, document.text);
            documents.push_str(&line);
        }
    }
    let names = builtin::texts("en").into_iter().map(|[id, title, _]| [id, "en", title]);
    let typed = names.chain(builtin::typed_queries()).filter_map(|[id, language, query]| {
        let [english, document] = texts.get(id)?;
        let is_own = language == arguments.language;
        let pair = if language == "en" { [query, document] } else { [english, query] };
        (language == "en" || is_own).then_some((id, pair))
    });
    let line = |(id, [english, other]): (&str, [&str; 2])| {
        format!("corpus\t{id}\t{id}\t{english}\t{other}\n")
    };
    let written = texts.iter().map(|(id, [english, document])| (&id[..], [&english[..], document]));
    let (pairs, typed_queries): (String, String) =
        (written.map(line).collect(), typed.map(line).collect());
    let out = &arguments.out;
    files::make_folder(out)?;
    let file = |name: &str, text: String| (out.join(name), text.into_bytes());
    files::write_all([
        file("queries.tsv", queries),
        file("documents.tsv", documents),
        file("relevance.tsv", grades),
        file("pairs.tsv", pairs),
        file("asked.tsv", typed_queries),
    ])
}
