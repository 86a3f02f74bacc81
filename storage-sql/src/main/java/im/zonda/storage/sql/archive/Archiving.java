package im.zonda.storage.sql.archive;

import im.zonda.stanza.Message;
import im.zonda.storage.sql.database.SqliteDialect;
import im.zonda.storage.sql.log.Chore;
import im.zonda.storage.sql.log.LogIndex;
import im.zonda.storage.sql.log.WriteQueue;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the writer does for the archive: sets off the indexing when there is enough to do, and
/// looks after entries that come late. Belongs to the writer thread.
public final class Archiving implements LogIndex {
  private final WriteQueue queue;
  private final ArchiveIndex index;
  private final @Nullable TextIndex text;
  private final SqliteDialect dialect;
  private @Nullable ArchiveRows rows;
  private boolean indexing;
  private boolean readingText;

  /// @param index the index by owner and other party
  /// @param text the index of words, or null if there is none
  public Archiving(
      WriteQueue queue, SqliteDialect dialect, ArchiveIndex index, @Nullable TextIndex text) {
    this.queue = queue;
    this.dialect = dialect;
    this.index = index;
    this.text = text;
  }

  ArchiveIndex index() {
    return index;
  }

  @Nullable TextIndex text() {
    return text;
  }

  /// The rows of the index tables, of the current transaction.
  ArchiveRows rows() {
    return Objects.requireNonNull(rows);
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    rows = new ArchiveRows(connection, dialect);
  }

  @Override
  public void release() throws SQLException {
    ArchiveRows released = rows;
    rows = null;
    if (released != null) {
      released.close();
    }
  }

  @Override
  public void flush() throws SQLException {
    rows().flush();
  }

  @Override
  public void added(long owner, MessageLog.Entry entry) throws SQLException {
    if (index.isLate(entry.id())) {
      String with = entry.with().toString();
      int peer = ArchiveRun.peerOf(with);
      rows().addTime(owner, entry.id());
      rows().addPeer(owner, peer, entry.id(), ArchiveRun.resourceOf(with));
    } else {
      index.added();
    }
    if (text != null) {
      if (text.isLate(entry.id())) {
        rows().addWords(entry.id(), SearchWords.tokens(owner, entry.message()));
      } else {
        text.added();
      }
    }
  }

  /// An archived entry says something else now; its words have been taken out of the index.
  void replaced(long owner, long id, Message message) throws SQLException {
    if (text != null && text.isLate(id)) {
      rows().addWords(id, SearchWords.tokens(owner, message));
    }
  }

  @Override
  public void committed() {
    if (!indexing && index.isDue()) {
      indexing = true;
      queue.offer(new Chore(queue, new Indexing()));
    }
    TextIndex words = text;
    if (words != null && !readingText && words.isDue()) {
      readingText = true;
      queue.offer(new Chore(queue, new ReadingText(words)));
    }
  }

  /// Begins, if there is something left to do from before.
  public void start() {
    queue.offer(new Chore(queue, new Wake()));
  }

  /// Does nothing; the commit that it makes sets off what is due.
  private record Wake() implements Chore.Task {
    @Override
    public boolean portion(WriterConnection writer) {
      return false;
    }
  }

  private final class Indexing implements Chore.Task {
    @Override
    public boolean portion(WriterConnection writer) throws SQLException {
      return index.portion(rows());
    }

    @Override
    public void committed() {
      index.committed();
    }

    @Override
    public void undone() {
      index.undone();
    }

    @Override
    public void ended() {
      indexing = false;
    }
  }

  private final class ReadingText implements Chore.Task {
    private final TextIndex words;

    ReadingText(TextIndex words) {
      this.words = words;
    }

    @Override
    public boolean portion(WriterConnection writer) throws SQLException {
      return words.portion(rows());
    }

    @Override
    public void committed() {
      words.committed();
    }

    @Override
    public void undone() {
      words.undone();
    }

    @Override
    public void ended() {
      readingText = false;
    }
  }
}
