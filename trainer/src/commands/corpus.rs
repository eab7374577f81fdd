//! `corpus`: writes the built-in corpus as the files that `train` reads, as a folder and as pairs.

use crate::cli;
use crate::data::builtin;
use crate::error::Error;
use crate::files;

/// Writes queries, documents and grades. The queries that are entries' names are left out: a folder
/// has no way to say that they are only trained on.
pub fn run(arguments: &cli::Corpus) -> Result<(), Error> {
    let languages = std::slice::from_ref(&arguments.language);
    let (mut queries, mut documents, mut grades) = (String::new(), String::new(), String::new());
    let mut pairs = String::new();
    for collection in builtin::collections(languages, builtin::GRADES)? {
        let described = collection.queries.iter().zip(&collection.judged);
        for (query, judged) in described.filter(|(query, _)| query.belongs_to.is_none()) {
            queries.push_str(&format!("{}\t{}\t{}\n", query.id, query.title, query.text));
            for judged in judged {
                let document = &collection.documents[judged.document as usize];
                grades.push_str(&format!("{}\t{}\t{}\n", query.id, document.id, judged.grade));
                if usize::from(judged.grade) + 1 == builtin::GRADES {
                    let (id, texts) = (&query.id, [&query.text, &document.text]);
                    pairs.push_str(&format!("corpus\t{id}\t{id}\t{}\t{}\n", texts[0], texts[1]));
                }
            }
        }
        for document in &collection.documents {
            let line = format!("{}\t{}\t{}\n", document.id, document.title, document.text);
            documents.push_str(&line);
        }
    }
    let out = &arguments.out;
    files::make_folder(out)?;
    let file = |name: &str, text: String| (out.join(name), text.into_bytes());
    files::write_all([
        file("queries.tsv", queries),
        file("documents.tsv", documents),
        file("relevance.tsv", grades),
        file("pairs.tsv", pairs),
    ])
}
