package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes entries of rows, and reports rows that are damaged.
///
/// @param meter where they are counted
public record StoredEntries(Meter meter) {
  private static final Logger log = LoggerFactory.getLogger(StoredEntries.class);

  /// The entry, or null if its row is not what was written.
  public MessageLog.@Nullable Entry entry(
      Jid owner, long ownerId, long id, String peer, byte[] stanza, long checksum) {
    try {
      return StoredMessage.entry(owner, ownerId, id, peer, stanza, checksum);
    } catch (StoredMessage.DamagedRow e) {
      // Kept as it is for whoever repairs it; the other messages must not wait for that.
      meter.damaged();
      log.atError()
          .addKeyValue("owner", owner)
          .addKeyValue("id", id)
          .setCause(e)
          .log("store_entry_damaged");
      return null;
    }
  }
}
