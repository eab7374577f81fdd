"""Wikipedia's graded relevance by joins on a Spark cluster, as the large-scale CLIR Wikipedia set has it.

    spark-submit relevance.py TABLES OUT --language fr

For an English article as query, the article in another language that an inter-language link leads to is most
relevant (grade 2), and articles that link to that one and that it links to, are relevant (grade 1).

TABLES has tab-separated files with a header, columns as in MediaWiki's tables of the same names; others are ignored:

    en/page.tsv       page_id page_namespace page_title page_is_redirect
    en/langlinks.tsv  ll_from ll_lang ll_title
    fr/page.tsv       page_id page_namespace page_title page_is_redirect
    fr/pagelinks.tsv  pl_from pl_target_id
    fr/linktarget.tsv lt_id lt_namespace lt_title

OUT gets lines of English page, page in the other language, grade. Links to a redirect are not followed.
"""

import argparse

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, lit, regexp_replace

parser = argparse.ArgumentParser()
parser.add_argument("tables")
parser.add_argument("out")
parser.add_argument("--language", required=True)
arguments = parser.parse_args()
language = arguments.language

spark = SparkSession.builder.appName("smooth-clir relevance").getOrCreate()


def table(name):
    # No quotes: titles have them.
    return spark.read.csv(f"{arguments.tables}/{name}.tsv", sep="\t", header=True, quote="", escape="")


def articles(wiki):
    """Pages that are articles: their ids and titles."""
    pages = table(f"{wiki}/page").where("page_namespace = 0 AND page_is_redirect = 0")
    return pages.select("page_id", col("page_title").alias("title"))


documents = articles(language)
title = regexp_replace("ll_title", " ", "_")
langlinks = table("en/langlinks").where(col("ll_lang") == language).select("ll_from", title.alias("title"))
most_relevant = (
    langlinks.join(documents, "title")
    .join(articles("en").select(col("page_id").alias("ll_from")), "ll_from")
    .select(col("ll_from").alias("query"), col("page_id").alias("document"))
    .distinct()
)

targets = table(f"{language}/linktarget").where("lt_namespace = 0")
targets = targets.select(col("lt_id").alias("pl_target_id"), col("lt_title").alias("title"))
links = (
    table(f"{language}/pagelinks")
    .join(targets, "pl_target_id")
    .join(documents.select("title", col("page_id").alias("to")), "title")
    .join(documents.select(col("page_id").alias("pl_from")), "pl_from")
    .select(col("pl_from").alias("from"), "to")
    .where(col("from") != col("to"))
    .distinct()
)
mutual = links.intersect(links.select(col("to").alias("from"), col("from").alias("to")))

relevant = (
    most_relevant.join(mutual, most_relevant.document == mutual["from"])
    .select("query", col("to").alias("document"))
    .distinct()
    .join(most_relevant, ["query", "document"], "left_anti")
)
graded = most_relevant.withColumn("grade", lit(2)).unionByName(relevant.withColumn("grade", lit(1)))
graded.select("query", "document", "grade").write.csv(arguments.out, sep="\t", quote="", escape="")
spark.stop()
