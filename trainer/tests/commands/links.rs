//! Symbolic links in a folder that is indexed: those that lead out of it are not followed.

use std::fs;
use std::os::unix::fs::symlink;

use crate::toy::{Place, QUICK};

/// A site, and secrets beside it.
fn site() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site/within")).unwrap();
    fs::create_dir_all(place.path("secret")).unwrap();
    place.write("site/a.md", "m1 m2");
    place.write("site/within/b.md", "m1 m3");
    place.write("secret/key.md", "m1 SECRET");
    place.write("site-secret.md", "m1 SECRET");
    place
}

impl Place {
    fn link(&self, target: &str, name: &str) {
        symlink(target, self.path(name)).unwrap();
    }

    /// Runs a command line that must succeed: what it says on standard error.
    fn says(&self, line: &str) -> String {
        let assert = self.run(line).success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    }

    fn has_no_secret(&self, name: &str) {
        let bytes = fs::read(self.path(name)).unwrap();
        assert!(!bytes.windows(6).any(|six| six == b"SECRET"), "{name}");
    }
}

#[test]
fn a_link_out_of_an_indexed_folder_is_left_out_and_named() {
    let place = site();
    place.link("../secret/key.md", "site/file.md");
    // A folder whose name begins as the site's is not in the site.
    place.link("../site-secret.md", "site/beside.md");
    place.link("../secret", "site/folder");
    fs::create_dir(place.path("site/deep")).unwrap();
    place.link(place.path("secret/key.md").to_str().unwrap(), "site/deep/absolute.md");
    // Out by way of a link that stays within.
    place.link("folder/key.md", "site/through.md");
    let said = place.says("index m.safetensors site --out i");
    for name in ["file.md", "beside.md", "folder", "deep/absolute.md", "through.md"] {
        let told = format!("site/{name}: left out, it leads out of site");
        assert!(said.contains(&told), "{told}: {said}");
    }
    assert!(said.contains("i: 2 documents"), "{said}");
    place.has_no_secret("i");
    // An index of what leads out alone is refused.
    fs::create_dir(place.path("bare")).unwrap();
    place.link("../secret/key.md", "bare/file.md");
    place.run("index m.safetensors bare --out j").code(1);
    assert!(!place.path("j").exists());
}

#[test]
fn links_within_the_folder_work_and_cycles_of_them_end() {
    let place = site();
    place.link("../a.md", "site/within/again.md");
    place.link("..", "site/within/up");
    place.link("loop.md", "site/loop.md");
    // The folder that is named may be a link itself.
    place.link("site", "door");
    for folder in ["site", "door"] {
        let said = place.says(&format!("index m.safetensors {folder} --out {folder}.index"));
        assert!(said.contains("3 documents"), "{said}");
        let hits = place.json(&format!("search m.safetensors {folder}.index w1 --json"));
        let ids = hits["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap());
        let mut ids: Vec<&str> = ids.collect();
        ids.sort_unstable();
        assert_eq!(ids, ["a.md", "within/again.md", "within/b.md"]);
    }
}

#[test]
fn a_sitemap_reaches_no_file_outside_its_folder() {
    let place = site();
    place.link("../secret", "site/folder");
    place.link("../secret/key.md", "site/file.md");
    place.link("../elsewhere.xml", "site/more.xml");
    let urls = |names: &[&str]| {
        let url = |name: &&str| format!("<url><loc>https://a.example/{name}</loc></url>");
        format!("<urlset>{}</urlset>", names.iter().map(url).collect::<String>())
    };
    place.write("elsewhere.xml", urls(&["a.md"]));
    place.write("site/pages.xml", urls(&["a.md", "within/b.md", "file.md", "folder/key.md"]));
    let maps = ["pages.xml", "more.xml"];
    let maps = maps.map(|name| format!("<sitemap><loc>https://a.example/{name}</loc></sitemap>"));
    place.write("site/sitemap.xml", format!("<sitemapindex>{}</sitemapindex>", maps.concat()));
    let said = place.says("index m.safetensors site/sitemap.xml --out i");
    for name in ["file.md", "folder/key.md", "more.xml"] {
        let told = format!("site/{name}: left out, it leads out of site");
        assert!(said.contains(&told), "{told}: {said}");
    }
    assert!(said.contains("2 documents"), "{said}");
    place.has_no_secret("i");
}

#[test]
fn a_file_of_documents_that_leads_out_of_the_folder_is_refused() {
    let place = site();
    fs::create_dir(place.path("other")).unwrap();
    place.link("../data/documents.tsv", "other/documents.tsv");
    place.refuses("index m.safetensors other --out i", 1, &["documents.tsv", "leads out of other"]);
    place.run("index m.safetensors other/documents.tsv --out i").success();
}

#[test]
fn a_manifest_lists_nothing_from_outside_its_folder() {
    let place = site();
    place.link("../secret/key.md", "site/file.md");
    let said = place.says("manifest site");
    assert!(said.contains("site/file.md: left out, it leads out of site"), "{said}");
    assert!(!place.read("site/manifest.json").contains("file.md"));
}

#[test]
fn a_link_to_what_is_hidden_in_the_folder_is_left_out_and_named() {
    let place = site();
    fs::create_dir(place.path("site/.git")).unwrap();
    place.write("site/.git/key.md", "m1 SECRET");
    place.write("site/.env.md", "m1 SECRET");
    place.link(".git/key.md", "site/key.md");
    place.link(".env.md", "site/env.md");
    let told = |said: &str, what: &str| {
        let told = format!("site/{what}: left out, it leads to what is hidden in site");
        assert!(said.contains(&told), "{told}: {said}");
    };
    let said = place.says("index m.safetensors site --out i");
    assert!(said.contains("i: 2 documents"), "{said}");
    told(&said, "key.md");
    told(&said, "env.md");
    place.has_no_secret("i");
    told(&place.says("manifest site"), "key.md");
    // A folder may lie in a hidden one itself.
    fs::create_dir(place.path(".sites")).unwrap();
    fs::rename(place.path("site/within"), place.path(".sites/within")).unwrap();
    let said = place.says("index m.safetensors .sites/within --out j");
    assert!(said.contains("j: 1 documents"), "{said}");
}

#[test]
fn a_manifest_of_another_program_stays_as_it_is() {
    let place = site();
    let app = r#"{"name": "An application", "start_url": "./"}"#;
    place.write("site/manifest.json", app);
    place.refuses("manifest site", 1, &["site/manifest.json", "is no manifest of smooth-clir"]);
    assert_eq!(place.read("site/manifest.json"), app);
    // A link leads to a file that may be anything.
    fs::remove_file(place.path("site/manifest.json")).unwrap();
    place.run("manifest site/within").success();
    place.link("within/manifest.json", "site/manifest.json");
    let before = place.read("site/within/manifest.json");
    place.refuses("manifest site", 1, &["site/manifest.json"]);
    assert_eq!(place.read("site/within/manifest.json"), before);
    // Its own is written again.
    place.write("site/within/c.md", "m2");
    place.run("manifest site/within").success();
    assert!(place.read("site/within/manifest.json").contains("c.md"));
}
