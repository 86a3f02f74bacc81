package im.zonda.storage.sql;

import im.zonda.storage.sql.database.Dialect;
import im.zonda.storage.sql.database.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs each step of an upgrade of the schema at the start of a server, which may take long. The
/// creation of the tables is no upgrade. Used by one thread.
final class UpgradeLog implements Schema.Progress {
  private static final Logger log = LoggerFactory.getLogger(UpgradeLog.class);

  private final Dialect dialect;
  private boolean creates;

  UpgradeLog(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public void upgrading(int from, int to) {
    creates |= from == 0;
    if (!creates) {
      log.atInfo()
          .addKeyValue("database", dialect.name())
          .addKeyValue("from", from)
          .addKeyValue("to", to)
          .log("schema_upgrading");
    }
  }
}
