"""The public sources, each with its address, licence and the version that the scripts read; fetches what is not there yet."""
import hashlib
import io
import lzma
import os
import shutil
import subprocess
import tarfile
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path


class SourceError(Exception):
    """A source is missing, damaged or of another version than the scripts read."""


@dataclass(frozen=True)
class Source:
    """One source. `url` ends in .git for a repository, pinned by `version`, a commit; otherwise it is an archive, pinned by `version`,
    the SHA-256 digest of the file."""

    name: str
    title: str
    licence: str
    url: str
    version: str


def github(name, title, licence, repository, commit):
    return Source(name, title, licence, f"https://github.com/{repository}.git", commit)


def libreoffice(code, digest):
    pool = "https://deb.debian.org/debian/pool/main/libr/libreoffice"
    return Source(
        f"libreoffice-{code}", "LibreOffice interface strings", "MPL-2.0", f"{pool}/libreoffice-l10n-{code}_7.4.7-1+deb12u14_all.deb", digest
    )


def debian(package, title, licence, folder, version, digest):
    """A Debian package, in `folder` of the archive's main pool; the source has the package's name."""
    url = f"https://deb.debian.org/debian/pool/main/{folder}/{package}_{version}_all.deb"
    return Source(package, title, licence, url, digest)


def reference(code, digest):
    return debian(f"debian-reference-{code}", "Debian Reference", "GPL-2+", "d/debian-reference", "2.100", digest)


def libreoffice_help(code, digest):
    return debian(f"libreoffice-help-{code}", "LibreOffice Help", "MPL-2.0", "libr/libreoffice", "7.4.7-1+deb12u14", digest)


def linux_pages(package, digest):
    licence = "by page: GPL-2+, Linux-man-pages-copyleft, BSD and others"
    return debian(package, "Linux man-pages", licence, "m/manpages", "6.03-2", digest)


def translated_pages(package, digest):
    licence = "GPL-3+ and the licences of the pages"
    return debian(package, "manpages-l10n", licence, "m/manpages-l10n", "4.18.1-1", digest)


SOURCES = {
    source.name: source
    for source in (
        github("web-bible", "World English Bible", "public domain", "kahunapule/worldenglishbible", "d8d56634755cec166a8380b4f46b7e39b406d311"),
        github("arabic-bible", "Smith & Van Dyke, 1865", "public domain", "krezek/Peshitta", "08a7cfd7c826c93999de7236b6b738523190049a"),
        github(
            "hindi-bible", "Hindi Bible of Free Bibles India", "CC BY-SA 4.0", "FreeBiblesIndia/Hindi_Bible",
            "0bc468f34cbfb77fefeb2685616e91fbd7d55101",
        ),
        github(
            "open-bibles", "Bibles collected by Open Bibles: Ostervald (fr), Riveduta 1927 (it), a Swahili New Testament, Ang Dating Biblia (tl)",
            "public domain", "seven1m/open-bibles", "4e41ce04b87017781bff3108d69bb4db86b30873",
        ),
        github("tico19", "TICO-19", "CC0 1.0", "tico-19/tico-19.github.io", "d97615f9cffa28ec7de571e00fbd513e5a1c7fc7"),
        github("godot", "Godot editor strings", "MIT", "godotengine/godot-editor-l10n", "da7b2eb4c053482af6fcccb26707d8c5d14705a4"),
        github("kolibri", "Kolibri strings", "MIT", "learningequality/kolibri", "9966f00def5fb3df0b3670bc85c007d85f6a8ab0"),
        github("studio", "Kolibri Studio strings", "MIT", "learningequality/studio", "52835d38361a2eda67c7926ca4e2270e3c391809"),
        github("odk", "ODK Collect strings", "Apache-2.0", "getodk/collect", "137f3259b18e5af3c08339f9016278b277812cc2"),
        github(
            "iot", "IoT for Beginners, machine-translated", "MIT", "microsoft/IoT-For-Beginners", "8bd535533b39c8b70e2b027f69e18ac842812968"
        ),
        github("security", "Security 101, machine-translated", "MIT", "microsoft/Security-101", "2e6e0f30cd6914594640191a5bdd14c6914ebeab"),
        github("laser", "Tatoeba, as sampled by LASER", "CC BY 2.0 FR", "facebookresearch/LASER", "74bc6ae7ffb7cba670fe0f428d0ede9f666fb821"),
        github("tldr", "tldr pages", "CC BY 4.0", "tldr-pages/tldr", "08e345f42639f67d99282813247ac670dc6e87cb"),
        github(
            "omw", "Open Multilingual Wordnet", "see LICENCES in languages.py", "omwn/omw-data", "f75be19ec590da12a7a5665e361690b5badb7a25"
        ),
        github(
            "nltk", "Names Corpus 1.3, Mark Kantrowitz and Bill Ross", "free to use, with credit", "nltk/nltk_data",
            "5db857e6f7df11eabb5e5665836db9ec8df07e28",
        ),
        github(
            "wiktionary-dict", "Translations of English Wiktionary", "CC BY-SA 3.0", "open-dsl-dict/wiktionary-dict",
            "74c2c11f3398606ef334dd6d0d3ecb9555a44faf",
        ),
        Source(
            "wordnet", "Princeton WordNet 3.0", "WordNet licence",
            "https://deb.debian.org/debian/pool/main/w/wordnet/wordnet-base_3.0-37_all.deb",
            "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752",
        ),
        Source(
            "gnome-help", "GNOME Help", "CC BY-SA 3.0",
            "https://deb.debian.org/debian/pool/main/g/gnome-user-docs/gnome-user-docs_43.0-2_all.deb",
            "0d635a840747958ca84da778b40d341f1155603851f922c9a171f5a181d6a39f",
        ),
        Source(
            "django", "Django interface strings", "BSD-3-Clause",
            "https://files.pythonhosted.org/packages/5e/3d/a035a4ee9b1d4d4beee2ae6e8e12fe6dee5514b21f62504e22efcbd9fb46/django-5.2.8-py3-none-any.whl",
            "37e687f7bd73ddf043e2b6b97cfe02fcbb11f2dbb3adccc6a2b18c6daa054d7f",
        ),
        Source(
            "cldr-names", "Unicode CLDR names", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-localenames-full/-/cldr-localenames-full-48.2.0.tgz",
            "7f2ac7fd3b5d90f56ad127f9ed5ae67b58b3e556818f55530b9f47bb81bcde57",
        ),
        Source(
            "cldr-annotations", "Unicode CLDR annotations", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-annotations-full/-/cldr-annotations-full-48.2.0.tgz",
            "28576e51225deb51e3ddd734b0f824a0079682cb5d8c27faa9f68149317a14d1",
        ),
        Source(
            "cldr-dates", "Unicode CLDR months and weekdays", "Unicode-3.0",
            "https://registry.npmjs.org/cldr-dates-full/-/cldr-dates-full-48.2.0.tgz",
            "0256f1cefeca14f7d515be4872dda48fcdd7e75381430f25aafd0143eae5b430",
        ),
        Source(
            "osm-tags", "OpenStreetMap tagging schema", "ISC",
            "https://registry.npmjs.org/@openstreetmap/id-tagging-schema/-/id-tagging-schema-7.2.0.tgz",
            "5c95a50a232a699778e821b19b8c4b92f1719193ffb9069a88545ed9dff55b6b",
        ),
        libreoffice("ar", "819b371d138f656673fc0dbe46fcb7ab40bc9da00aa87e4fc7733c979b5fc5f5"),
        libreoffice("hi", "460c561a674450c0d1d7180e80448bd06eda76e7d3334c4343773d67da742d99"),
        libreoffice("de", "aee22c8e3b3c0431f6e1b0bc66f757ba36c860e2651a05eb050fde4897f06548"),
        libreoffice("ru", "01aec00c0f12f13994df49a0f41b8955bc93de1abf27acb281bc19a4c8feeae7"),
        libreoffice("zh-cn", "06b2800923811a11ddadc9e1e09ef8bda2a89ba118470403b2f6a897152e0809"),
        libreoffice("es", "ec8c42bbef9a1d6053cb32380739fa7551968708205a629a91e82484865d9822"),
        libreoffice("pt", "83ed70de5e5d53e5216445f10ddcd4722900a0712a3acdb3ea694f101aff919d"),
        libreoffice("id", "b16c7449f2628a6b959af10aa5c2bc8282c7c19d7e9f60fb70f7a650cc33866b"),
        debian(
            "debian-handbook", "The Debian Administrator's Handbook", "CC BY-SA 3.0 or GPL-2+", "d/debian-handbook", "11.20220922",
            "3d5dbeac1f1afc9c094eab9d0f701f6ecff99c4927d5a4794cf6c85678134faa",
        ),
        reference("en", "9f31d3a17df505de09689ca255512ea58c1fc47c59bb1b0c7bf1c23362e9743f"),
        reference("de", "3b0ce65fd63e75ddf8eb07ca36293425135080e690a07e06a6ac8bc8040ef0aa"),
        reference("es", "a59b68c96f83d3cf29a476c847aee38364764603ea62eee592791e0a843a269e"),
        reference("fr", "01424cba9bfa2e13166da22d3d692d33a22ec7d8ef935ec81fd8802746087f65"),
        reference("it", "7894062a5e9203a57ec6cb8d6a47d5ffb58c41dc004766522f1b4d78b2a8e0c6"),
        libreoffice_help("en-us", "8faa840285734d6cfe1ed25537b48f07e74bd6412e3917bf8e5f8a653f7b3712"),
        libreoffice_help("de", "00490b63c509ac96f7f212d6a6e40452d3e0d1f97ccf4b824dd5ec4c01e8277f"),
        libreoffice_help("es", "9128a84d83d92c8b1c618d90469d16affddb7d1290b09d42a0c5109cb16f0480"),
        libreoffice_help("fr", "c796530d3e95af1ea4d054076682efc8aad2b569ae9513f3d4a776b2df3fd206"),
        libreoffice_help("it", "7fa29342a302bb495981fdabf98f3a9c3628123f3f191b2a5c95cb583c9ff212"),
        linux_pages("manpages", "efa1ba4cd19ad7baeae959c9209a7eb74be2ebb858bcabb412597bfc9f588c91"),
        linux_pages("manpages-dev", "96f55cb5e26231d5567c89b692bced63825a14a2d5bd18fdf16ea2ed44eb9838"),
        translated_pages("manpages-de", "37d2e7ee51f22952aecec3af93647ff59194a3c74bb7a694560f49c7f7ab3978"),
        translated_pages("manpages-de-dev", "cb3d7c10977dd3c811065d89e0d912196ec5e6f2551308edb0ba72e02da838d7"),
        translated_pages("manpages-es", "d21e9f85e487f149ae45b5c525b2b1a70ae7fd38d4b05b47c8753042c66f4c2b"),
        translated_pages("manpages-es-dev", "1c2e676050bc87ecd5b4fafa00e7365504aaaf5d64645ef9989e907e5612a322"),
        translated_pages("manpages-fr", "ec29759cc0e4a44dc7719c1e32869d0060667049e584f09556f0d982b969ea33"),
        translated_pages("manpages-fr-dev", "25f5a53208d92f0a69a89e349edfb3068e6e6e4e0673fe712dd0d3b0c5b1512d"),
        translated_pages("manpages-it", "4b18e87cc1b6a930d40949ddc86fb8e84b50da1a862cd17e2a504eeb8e3b4e48"),
        translated_pages("manpages-it-dev", "a14a1aa168ad1be85d5202d1ed69b9c995413420b0a62854e391796fa6692daa"),
    )
}


def run(*command):
    """The output of a command; `SourceError` with what it wrote to its error stream if it fails."""
    result = subprocess.run(command, capture_output=True)
    if result.returncode:
        raise SourceError(f"`{' '.join(map(str, command))}` failed: {result.stderr.decode(errors='replace').strip()}")
    return result.stdout


class Sources:
    """Reads files of sources below one folder: `FOLDER/NAME` for a repository (a clone, or a bare one), `FOLDER/FILE` for an archive.
    A source that is not there is fetched, unless `offline`."""

    def __init__(self, folder, offline=False):
        self.folder = Path(folder)
        self.offline = offline
        self.used = {}
        self._archives = {}

    def files(self, name, *paths):
        """{path: bytes} of the files of source `name` that have one of the paths or stand below one of these folders."""
        source = SOURCES[name]
        self.used[name] = source
        if source.url.endswith(".git"):
            return self._from_repository(source, paths)
        files = self._archive(source)
        found = {path: data for path, data in files.items() if any(path == p or path.startswith(p.rstrip("/") + "/") for p in paths)}
        if not found:
            raise SourceError(f"{name}: none of these is in {self._path(source)}: {', '.join(paths)}")
        return found

    def file(self, name, path):
        return self.files(name, path)[path]

    def _path(self, source):
        return self.folder / (source.name if source.url.endswith(".git") else source.url.rpartition("/")[2])

    def _missing(self, source, path):
        return SourceError(f"{source.name} is missing: expected {path}, from {source.url} at {source.version} ({source.licence})")

    def _from_repository(self, source, paths):
        path = self._path(source)
        if not path.exists():
            if self.offline:
                raise self._missing(source, path)
            partial = path.with_name(path.name + ".partial")
            try:
                run("git", "init", "--quiet", "--bare", partial)
                run("git", "-C", partial, "fetch", "--quiet", "--depth", "1", source.url, source.version)
                os.replace(partial, path)
            finally:
                shutil.rmtree(partial, ignore_errors=True)
        try:
            run("git", "-C", path, "cat-file", "-e", source.version + "^{commit}")
        except SourceError:
            raise SourceError(f"{path} has no commit {source.version}: remove the folder to fetch it from {source.url}") from None
        packed = run("git", "-C", path, "archive", "--format=tar", source.version, "--", *paths)
        return _members(tarfile.open(fileobj=io.BytesIO(packed)))

    def _archive(self, source):
        if source.name not in self._archives:
            path = self._path(source)
            if not path.exists():
                if self.offline:
                    raise self._missing(source, path)
                path.parent.mkdir(parents=True, exist_ok=True)
                partial = path.with_name(path.name + ".partial")
                try:
                    with urllib.request.urlopen(source.url, timeout=120) as response:
                        partial.write_bytes(response.read())
                except OSError as error:
                    raise SourceError(f"{source.url}: {error}: save the file of {source.title} as {path}") from None
                os.replace(partial, path)
            data = path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            if digest != source.version:
                raise SourceError(f"{path}: expected SHA-256 {source.version}, found {digest}: remove the file to fetch it again")
            self._archives[source.name] = unpack(path.name, data)
        return self._archives[source.name]


def _members(archive):
    return {member.name.removeprefix("./"): archive.extractfile(member).read() for member in archive if member.isfile()}


def unpack(name, data):
    """The files of an npm package, a Python wheel or a Debian package: {path: bytes}."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return {path: archive.read(path) for path in archive.namelist() if not path.endswith("/")}
    if name.endswith(".deb"):
        return _members(tarfile.open(fileobj=io.BytesIO(_data_of_deb(data))))
    return _members(tarfile.open(fileobj=io.BytesIO(data)))


def _data_of_deb(data):
    """The tar file with the files of a Debian package, an `ar` archive."""
    if not data.startswith(b"!<arch>\n"):
        raise SourceError("not a Debian package")
    at = 8
    while at + 60 <= len(data):
        name, size = data[at : at + 16].decode().strip(" /"), int(data[at + 48 : at + 58])
        if name == "data.tar.xz":
            return lzma.decompress(data[at + 60 : at + 60 + size])
        at += 60 + size + size % 2
    raise SourceError("a Debian package without data.tar.xz")
