package im.zonda.storage.sql.log;

import im.zonda.jid.Jid;
import im.zonda.store.MessageLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Converts rows to entries; logs and counts damaged rows, including those whose message cannot be
/// read.
///
/// @param metrics counts damaged rows
public record StoredEntries(WriterMetrics metrics) {
  private static final Logger log = LoggerFactory.getLogger(StoredEntries.class);

  /// The entry of one of the row's owners, or null if the row is damaged.
  public MessageLog.@Nullable Entry entry(Jid owner, long ownerId, StoredRow row) {
    if (row.senderId() != ownerId) {
      return entry(owner, ownerId, row.id(), row.peer(), row.stanza(), row.checksum());
    }
    try {
      return StoredMessage.sentEntry(owner, row);
    } catch (StoredMessage.DamagedRow e) {
      reportDamage(owner, row.id(), e);
      return null;
    }
  }

  /// The entry, or null if the row is damaged.
  public MessageLog.@Nullable Entry entry(
      Jid owner, long ownerId, long id, String peer, byte[] stanza, long checksum) {
    try {
      return StoredMessage.entry(owner, ownerId, id, peer, stanza, checksum);
    } catch (StoredMessage.DamagedRow e) {
      reportDamage(owner, id, e);
      return null;
    }
  }

  /// Reading continues with the other messages; see [UnreadableEntries].
  private void reportDamage(Jid owner, long id, StoredMessage.DamagedRow cause) {
    metrics.countDamaged();
    log.atError()
        .addKeyValue("owner", owner)
        .addKeyValue("id", id)
        .setCause(cause)
        .log("store_entry_damaged");
  }
}
