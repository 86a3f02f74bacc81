package im.zonda.storage.sql.archive;

import im.zonda.storage.sql.database.SqlSyntax;
import im.zonda.storage.sql.log.BackgroundTask;
import im.zonda.storage.sql.log.LogIndex;
import im.zonda.storage.sql.log.OwnerIds;
import im.zonda.storage.sql.log.WriteQueue;
import im.zonda.storage.sql.log.WriterConnection;
import im.zonda.store.MessageLog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Keeps the archive's indexes up to date: starts indexing when there is enough to do, and indexes
/// late entries at once. Confined to the writer thread.
public final class ArchiveIndexer implements LogIndex {
  private static final String INDEXED_TO = "select indexed_to from archive_mark";
  private static final String TEXT_TO = "select text_to from archive_mark";

  private final WriteQueue queue;
  private final ArchiveIndex index;
  private final @Nullable TextIndex text;
  private final SqlSyntax syntax;
  private @Nullable ArchiveRows rows;
  private final Queue<BackgroundTask.Body> waiting = new ArrayDeque<>();
  private boolean indexing;

  /// Whether the tables may be ahead of what is known about them.
  private boolean uncertain;

  private boolean readingText;

  /// @param index the index by owner and other party
  /// @param text the index of words, or null if there is none
  public ArchiveIndexer(
      WriteQueue queue, SqlSyntax syntax, ArchiveIndex index, @Nullable TextIndex text) {
    this.queue = queue;
    this.syntax = syntax;
    this.index = index;
    this.text = text;
  }

  SqlSyntax syntax() {
    return syntax;
  }

  /// Whether other nodes write the log.
  boolean isShared() {
    return index.isShared();
  }

  /// What a query ends with that reads rows of the log to change them: nodes of a cluster wait for
  /// each other.
  String lockingRows() {
    return isShared() ? " for update" : "";
  }

  ArchiveIndex index() {
    return index;
  }

  @Nullable TextIndex text() {
    return text;
  }

  /// Writes the index rows of the current transaction.
  ArchiveRows rows() {
    return Objects.requireNonNull(rows);
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    if (uncertain) {
      index.restart(mark(connection, INDEXED_TO));
      if (text != null) {
        text.restart(mark(connection, TEXT_TO));
      }
      uncertain = false;
    }
    rows = new ArchiveRows(connection, syntax);
  }

  private static long mark(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : Long.MIN_VALUE;
    }
  }

  @Override
  public void outcomeUnknown() {
    uncertain = true;
  }

  @Override
  public void release() throws SQLException {
    index.rolledBack();
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
    index.add(rows(), owner, entry.id(), entry.with());
    if (text != null) {
      if (text.isLate(entry.id())) {
        rows().addWords(entry.id(), SearchWords.tokens(owner, entry.message()));
      } else {
        text.added();
      }
    }
  }

  @Override
  public void added(long owner, MessageLog.Entry entry, long sender, MessageLog.Entry sent)
      throws SQLException {
    if (owner != OwnerIds.NONE) {
      index.add(rows(), owner, entry.id(), entry.with());
    }
    index.add(rows(), sender, sent.id(), sent.with());
    if (text != null) {
      if (text.isLate(entry.id())) {
        String received = owner == OwnerIds.NONE ? "" : SearchWords.tokens(owner, entry.message());
        rows().addWords(entry.id(), received + " " + SearchWords.tokens(sender, sent.message()));
      } else {
        text.added();
      }
    }
  }

  /// Indexes the words of a row of which a message has been replaced; the old words have been
  /// removed.
  ///
  /// @param tokens the words of its owners
  void replaced(long id, String tokens) throws SQLException {
    if (text != null && text.isLate(id)) {
      rows().addWords(id, tokens);
    }
  }

  @Override
  public void committed() {
    index.committed();
    while (!index.isBehind() && !waiting.isEmpty()) {
      whenRead(waiting.remove());
    }
    if (!indexing && index.isDue()) {
      indexing = true;
      queue.offer(new BackgroundTask(queue, new Indexing()));
    }
    TextIndex words = text;
    if (words != null && !readingText && words.isDue()) {
      readingText = true;
      queue.offer(new BackgroundTask(queue, new ReadingText(words)));
    }
  }

  /// Starts the indexing that an earlier run left undone.
  public void start() {
    queue.offer(new BackgroundTask(queue, new Start()));
  }

  /// Starts a background task as soon as the whole log has been read for the index.
  void whenRead(BackgroundTask.Body task) {
    queue.offer(new BackgroundTask(queue, new WhenRead(task)));
  }

  /// Reads a log that is short at once; its commit starts the rest.
  private final class Start implements BackgroundTask.Body {
    private static final int PORTIONS = 8;

    @Override
    public boolean runPortion(WriterConnection writer) throws SQLException {
      for (int i = 0; i < PORTIONS && index.isBehind(); i++) {
        index.runPortion(rows());
      }
      return false;
    }

    @Override
    public boolean isUrgent() {
      return true;
    }
  }

  /// Runs a task, or keeps it until the log has been read.
  private final class WhenRead implements BackgroundTask.Body {
    private final BackgroundTask.Body task;
    private boolean kept;

    WhenRead(BackgroundTask.Body task) {
      this.task = task;
    }

    @Override
    public boolean runPortion(WriterConnection writer) throws SQLException {
      kept = index.isBehind();
      return !kept && task.runPortion(writer);
    }

    @Override
    public void ended() {
      if (kept) {
        waiting.add(task);
      }
    }
  }

  private final class Indexing implements BackgroundTask.Body {
    @Override
    public boolean runPortion(WriterConnection writer) throws SQLException {
      index.runPortion(rows());
      return index.isDue();
    }

    @Override
    public boolean isUrgent() {
      return index.isUrgent();
    }

    @Override
    public void ended() {
      indexing = false;
    }
  }

  private final class ReadingText implements BackgroundTask.Body {
    private final TextIndex words;

    ReadingText(TextIndex words) {
      this.words = words;
    }

    @Override
    public boolean runPortion(WriterConnection writer) throws SQLException {
      return words.runPortion(rows());
    }

    @Override
    public boolean isUrgent() {
      return true;
    }

    @Override
    public void committed() {
      words.committed();
    }

    @Override
    public void rolledBack() {
      words.rolledBack();
    }

    @Override
    public void ended() {
      readingText = false;
    }
  }
}
