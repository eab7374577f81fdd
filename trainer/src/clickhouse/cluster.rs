//! The servers that share a table, and the names of what they hold.

use super::documents::{Documents, Version};
use super::name::Name;
use super::options::Clickhouse;
use super::server::{Access, Server};
use crate::error::Error;

/// Servers, each with a shard, and where on them the tables are.
#[derive(Debug, Clone)]
pub struct Cluster {
    /// The first also has the list of versions.
    pub servers: Vec<Server>,
    database: Name,
    table: Name,
}

impl Cluster {
    /// The servers at these addresses; of one address, those of the cluster that it knows by the name
    /// that the options give.
    pub fn find(addresses: &[String], options: &Clickhouse) -> Result<Self, Error> {
        let access = Access::from_environment(options.connect_timeout, options.timeout)?;
        let servers = addresses.iter().map(|address| Server::new(address, &access));
        let servers: Vec<Server> = servers.collect::<Result<_, _>>()?;
        let (database, table) = (options.database.clone(), options.table.clone());
        let servers = match (&options.cluster, &servers[..]) {
            (None, _) => servers,
            (Some(name), [server]) => members(server, name)?,
            (Some(_), _) => {
                let problem = "--cluster: give one address; its server knows the others";
                return Err(Error::Usage(problem.into()));
            }
        };
        Ok(Self { servers, database, table })
    }

    /// The database, for a statement.
    pub fn database(&self) -> String {
        self.database.quoted()
    }

    /// The table of versions, for a statement.
    pub fn versions(&self) -> String {
        format!("{}.{}", self.database(), self.table.quoted())
    }

    /// The table of the documents of a shard of a version, for a statement.
    pub fn shard(&self, version: Version, shard: usize) -> String {
        self.of_shard(version, 's', shard)
    }

    /// The table of the words of a shard of a version, for a statement.
    pub fn words(&self, version: Version, shard: usize) -> String {
        self.of_shard(version, 'w', shard)
    }

    fn of_shard(&self, version: Version, kind: char, shard: usize) -> String {
        let (database, table) = (self.database(), &self.table);
        format!("{database}.`{table}_v{version}_{kind}{}of{}`", shard + 1, self.servers.len())
    }

    /// The names of the tables that a server has of any version but one of this many shards.
    pub fn others(&self, server: &Server, documents: &Documents) -> Result<Vec<String>, Error> {
        let (version, count) = (documents.version(), self.servers.len());
        let pattern = format!("^{}_v[0-9a-f]{{16}}_[sw][0-9]+of[0-9]+$", self.table);
        let kept = format!("^{}_v{version}_[sw][0-9]+of{count}$", self.table);
        let statement = format!(
            "SELECT name FROM system.tables WHERE database = '{}' AND match(name, '{pattern}') \
             AND NOT match(name, '{kept}') ORDER BY name",
            self.database
        );
        let answer = String::from_utf8_lossy(&server.tell(&statement)?).into_owned();
        let database = self.database();
        let others = answer.lines().map(|name| match Name::new(name) {
            Ok(name) => Ok(format!("{database}.{}", name.quoted())),
            Err(problem) => Err(server.error(format!("a table of another name: {problem}"))),
        });
        others.collect()
    }
}

/// The servers of a cluster, as one of them knows it.
fn members(server: &Server, name: &Name) -> Result<Vec<Server>, Error> {
    let statement = format!(
        "SELECT shard_num, host_name FROM system.clusters WHERE cluster = '{name}' \
         ORDER BY shard_num, replica_num"
    );
    let answer = String::from_utf8_lossy(&server.tell(&statement)?).into_owned();
    let mut servers = Vec::new();
    for (expected, line) in (1..).zip(answer.lines()) {
        let (shard, host) = line.split_once('\t').unwrap_or_default();
        if shard.parse() != Ok(expected) {
            let problem =
                format!("cluster {name}: a shard has replicas; expected one server a shard");
            return Err(server.error(problem));
        }
        servers.push(server.on_host(host)?);
    }
    match servers.is_empty() {
        true => Err(server.error(format!("unknown cluster {name}"))),
        false => Ok(servers),
    }
}
