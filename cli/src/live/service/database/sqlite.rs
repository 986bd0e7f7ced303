//! An SQLite database in the run's own folder: embedded, so nothing has to be installed.
//!
//! One statement at a time changes anything, and nobody waits for a row: that is enough for a version column, a conditional UPDATE and a unique key,
//! which are one statement each.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use locklab_core::servers::database::sql::Statement;
use locklab_core::servers::{Delivery, Outcome};
use locklab_core::time::Time;
use locklab_core::wire::{ClientId, Command, Record, RecordValue, Records, Reply};
use rusqlite::Connection;

use super::super::super::error::LiveError;
use super::super::super::server::PATIENCE;
use super::super::RealService;
use super::ledger::Ledger;
use super::statement::{answer, reply};
use super::text_of;

/// An SQLite database with its clients' connections.
#[derive(Debug)]
pub struct Sqlite {
    file: PathBuf,
    connections: BTreeMap<Option<ClientId>, Connection>,
    /// The tables, each with its primary key's column.
    tables: Vec<(String, String)>,
    ledger: Ledger,
}

impl Sqlite {
    /// An empty database in a folder, with a connection for each client.
    pub fn start(folder: &Path, clients: usize) -> Result<Sqlite, LiveError> {
        let file = folder.join("locklab.sqlite");
        let mut server = Sqlite { file, connections: BTreeMap::new(), tables: Vec::new(), ledger: Ledger::default() };
        server.connection(None)?;
        for client in (0..clients).filter_map(|id| u16::try_from(id).ok()) {
            server.connection(Some(ClientId(client)))?;
        }
        Ok(server)
    }

    fn connection(&mut self, client: Option<ClientId>) -> Result<&Connection, LiveError> {
        if !self.connections.contains_key(&client) {
            let connection = Connection::open(&self.file).map_err(broken)?;
            connection.busy_timeout(PATIENCE).map_err(broken)?;
            // What a process wrote survives its end; only a machine without power would lose it, and none loses it here.
            connection.pragma_update(None, "synchronous", "OFF").map_err(broken)?;
            self.connections.insert(client, connection);
        }
        self.connections.get(&client).ok_or_else(|| LiveError::Broken("a connection is lost".into()))
    }

    fn rows_of(&mut self, table: &str, primary: &str, records: &mut Records) -> Result<(), LiveError> {
        let connection = self.connection(None)?;
        let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).map_err(broken)?;
        let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found: Vec<BTreeMap<String, String>> = Vec::new();
        let mut rows = statement.query([]).map_err(broken)?;
        while let Some(row) = rows.next().map_err(broken)? {
            let texts = names.iter().enumerate().filter_map(|(index, name)| {
                Some((name.clone(), row.get_ref(index).ok().and_then(|value| reply(value).text())?))
            });
            found.push(texts.collect());
        }
        drop(rows);
        drop(statement);
        for fields in found {
            let key = format!("{table}/{}", fields.get(primary).map_or("", String::as_str));
            let created = self.ledger.number(&key, "");
            let value = RecordValue::Fields(fields);
            records.insert(key, Record { value, gone_at: None, created_by: None, created });
        }
        Ok(())
    }
}

impl RealService for Sqlite {
    fn name(&self) -> String {
        format!("SQLite {}", rusqlite::version())
    }

    /// It is a file, and this process reads and writes it.
    fn process_ids(&self) -> Vec<u32> {
        Vec::new()
    }

    fn execute(&mut self, _now: Time, client: Option<ClientId>, command: &Command) -> Result<Outcome, LiveError> {
        let statement = text_of(command);
        // A lock's table has a column that SQLite has no function for, and that nobody asks here.
        let text = statement.replace(" DEFAULT to_timestamp(0)", "");
        if let Ok(Statement::Create { table, columns, primary }) = Statement::parse(&statement) {
            self.tables.push((table.to_string(), columns[primary].name.to_string()));
        }
        Ok(Outcome::Reply(answer(self.connection(client)?, &text)))
    }

    fn deliveries(&mut self) -> Result<Vec<Delivery>, LiveError> {
        Ok(Vec::new())
    }

    /// Nothing waits, so nothing ends a wait.
    fn time_out(&mut self, _client: ClientId) -> Result<Reply, LiveError> {
        Err(LiveError::Broken("no statement waits in SQLite".into()))
    }

    fn disconnect(&mut self, client: ClientId) -> Result<(), LiveError> {
        self.connections.remove(&Some(client));
        Ok(())
    }

    fn records(&mut self, _now: Time) -> Result<Records, LiveError> {
        let mut records = Records::new();
        for (table, primary) in self.tables.clone() {
            self.rows_of(&table, &primary, &mut records)?;
        }
        self.ledger.keep(&records);
        Ok(records)
    }

    fn due(&self, _now: Time) -> Option<Time> {
        None
    }

    fn crash(&mut self) {
        self.connections.clear();
    }

    /// It has its tables even without its data, as in the model.
    fn restart(&mut self, data_kept: bool) -> Result<(), LiveError> {
        if !data_kept {
            for (table, _) in self.tables.clone() {
                self.connection(None)?.execute(&format!("DELETE FROM {table}"), []).map_err(broken)?;
            }
        }
        Ok(())
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.connections.clear();
        // The folder goes anyway; an early end leaves no file that somebody could take for a result.
        let _ = fs::remove_file(&self.file);
    }
}

fn broken(error: rusqlite::Error) -> LiveError {
    LiveError::Broken(format!("SQLite: {error}"))
}
