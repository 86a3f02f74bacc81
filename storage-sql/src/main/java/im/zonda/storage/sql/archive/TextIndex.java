package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.log.StoredMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Fills the index of words asynchronously, in portions; see [ArchiveIndex].
public final class TextIndex {
  private static final Logger log = LoggerFactory.getLogger(TextIndex.class);

  /// Maximum number of entries in a portion.
  private static final int ROWS = 256;

  private volatile long indexed;
  private long read;
  private int unread;
  private boolean behind = true;

  /// @param textTo the mark
  public TextIndex(long textTo) {
    indexed = textTo;
    read = textTo;
  }

  /// The words of everything up to this id are indexed, for a query that begins after this call.
  long indexed() {
    return indexed;
  }

  boolean isLate(long id) {
    return id <= read;
  }

  void added() {
    unread++;
  }

  boolean isDue() {
    return behind || unread >= ROWS;
  }

  /// Runs a portion and returns whether there is more to do. Takes effect with [#committed]; may
  /// run again after [#rolledBack].
  boolean runPortion(ArchiveRows rows) throws SQLException {
    List<ArchiveRows.TextRow> entries = rows.scanText(read, ROWS);
    if (entries.size() < ROWS) {
      behind = false;
      unread = entries.size();
      return false;
    }
    write(rows, entries);
    return behind || unread >= 2 * ROWS;
  }

  /// Indexes the entries that are too few for a portion.
  void runRest(ArchiveRows rows) throws SQLException {
    List<ArchiveRows.TextRow> entries = rows.scanText(read, ROWS);
    if (!entries.isEmpty()) {
      write(rows, entries);
    }
  }

  private void write(ArchiveRows rows, List<ArchiveRows.TextRow> entries) throws SQLException {
    Map<Long, Boolean> accounts = new HashMap<>();
    Map<Long, String> words = new LinkedHashMap<>();
    for (ArchiveRows.TextRow entry : entries) {
      List<String> tokens = new ArrayList<>(2);
      for (ArchiveRows.TextPart part : entry.parts()) {
        if (isAccount(rows, accounts, part.owner())) {
          tokens.add(tokens(entry.id(), part));
        }
      }
      if (!tokens.isEmpty()) {
        words.put(entry.id(), String.join(" ", tokens));
      }
    }
    rows.addWords(words);
    read = entries.getLast().id();
    rows.textTo(read);
  }

  private static boolean isAccount(ArchiveRows rows, Map<Long, Boolean> known, long owner)
      throws SQLException {
    Boolean found = known.get(owner);
    if (found == null) {
      found = rows.isAccount(owner);
      known.put(owner, found);
    }
    return found;
  }

  private static String tokens(long id, ArchiveRows.TextPart part) {
    try {
      return SearchWords.tokens(part.owner(), StoredMessage.message(part.stanza()));
    } catch (StoredMessage.DamagedRow e) {
      // Reading the entry reports the damage; indexing continues with the other entries.
      log.atWarn().addKeyValue("id", id).setCause(e).log("store_entry_without_words");
      return "";
    }
  }

  /// The portion is durable.
  void committed() {
    if (read != indexed) {
      indexed = read;
      unread = Math.max(0, unread - ROWS);
    }
  }

  /// The last transaction was rolled back, or committed without an answer.
  ///
  /// @param mark the mark in the database
  void restart(long mark) {
    if (mark > indexed) {
      read = mark;
      indexed = mark;
    }
  }

  /// The portion was rolled back.
  void rolledBack() {
    read = indexed;
  }
}
