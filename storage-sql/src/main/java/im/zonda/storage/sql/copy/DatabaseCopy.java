package im.zonda.storage.sql.copy;

import im.zonda.storage.sql.copy.CopyListener.Step;
import im.zonda.storage.sql.database.CopyMark;
import im.zonda.storage.sql.database.Dialect;
import im.zonda.store.StoreException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Copies everything from one database to another, which is empty or an unfinished copy of it. No
/// server may use the target, nor the source, unless one snapshot of it is copied ([#ofSnapshot]).
///
/// A copy that ends at any moment can be continued by another run; until it is complete and
/// verified, no server starts on it.
public final class DatabaseCopy {
  /// Changes with each start of a server that stores messages.
  private static final String STATE = "select next from message_id";

  private final Dialect from;
  private final boolean isSnapshot;
  private final Dialect to;
  private final PortionSize portions;
  private final CopyListener listener;
  private long done;
  private long all;

  /// What a copy has done.
  ///
  /// @param rows the number of rows of all tables
  /// @param copied how many of them this run has copied
  public record Result(long rows, long copied) {}

  /// @param from the database that is copied; not changed
  /// @param portions what is copied in one transaction
  public DatabaseCopy(Dialect from, Dialect to, PortionSize portions, CopyListener listener) {
    this(from, false, to, portions, listener);
  }

  /// A copy of one snapshot of a database, which servers may use and change meanwhile: it has all
  /// that was committed before the copy begins. It cannot be continued after a failure.
  public static DatabaseCopy ofSnapshot(Dialect from, Dialect to, CopyListener listener) {
    return new DatabaseCopy(from, true, to, PortionSize.USUAL, listener);
  }

  private DatabaseCopy(
      Dialect from, boolean isSnapshot, Dialect to, PortionSize portions, CopyListener listener) {
    this.from = from;
    this.isSnapshot = isSnapshot;
    this.to = to;
    this.portions = portions;
    this.listener = listener;
  }

  /// Copies what has not been copied yet, and verifies the whole copy.
  ///
  /// @throws StoreException if a database cannot be used, or the copy differs; the message says how
  public Result run() {
    if (from.name().equals(to.name())) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE, to.name() + " cannot be copied to itself", null);
    }
    try (TakenDatabase source = takeSource();
        TakenDatabase target = TakenDatabase.take(to)) {
      CopyMark.Copy copy = target.<CopyMark.@Nullable Copy>call(each -> CopyMark.find(each, to));
      if (copy == null || copy.source() == null) {
        begin(source, target, copy != null);
      } else {
        checkContinued(source, target, copy);
      }
      if (!isSnapshot) {
        source.begin();
      }
      target.begin();
      CopyProgress progress = CopyProgress.read(target);
      if (progress.state() != source.number(STATE)) {
        throw target.storeException(
            "is a copy of "
                + source.name()
                + " that a server has used since; empty it and copy again");
      }
      all = progress.total();
      done = progress.copied();
      long before = done;
      for (CopiedTable table : CopiedTables.ALL) {
        copy(table, source, target, progress);
      }
      target.commit();
      Result result = new Result(done, done - before);
      verify(source, target);
      continueOwnerIds(source, target);
      progress.complete();
      target.commit();
      return result;
    }
  }

  private TakenDatabase takeSource() {
    if (!from.exists()) {
      throw new StoreException(
          StoreException.Category.UNAVAILABLE,
          "there is no database " + from.name() + " to copy",
          null);
    }
    TakenDatabase source = isSnapshot ? TakenDatabase.snapshot(from) : TakenDatabase.take(from);
    try {
      source.run(connection -> CopyMark.check(connection, from));
      checkVersion(source);
      return source;
    } catch (RuntimeException e) {
      source.close();
      throw e;
    }
  }

  private static void checkVersion(TakenDatabase database) {
    int version = database.call(database.dialect()::schemaVersion);
    int newest = database.dialect().schema().newest();
    if (version > newest) {
      throw database.storeException(
          "was written by a newer version of this server (schema "
              + version
              + ", this one knows "
              + newest
              + "); copy it with the newer version. It was not changed");
    }
    if (version < newest) {
      throw database.storeException(
          "has schema "
              + version
              + ", and this version copies schema "
              + newest
              + "; run 'zonda database migrate' for it first. It was not changed");
    }
  }

  /// Begins a copy.
  ///
  /// @param marked whether an earlier run has begun it without copying anything
  private void begin(TakenDatabase source, TakenDatabase target, boolean marked) {
    checkEmpty(target);
    listener.advanced(Step.COUNT, CopiedTables.ALL.getFirst().name(), 0, 0);
    Map<CopiedTable, Long> totals = new LinkedHashMap<>();
    for (CopiedTable table : CopiedTables.ALL) {
      totals.put(table, source.number("select count(*) from " + table.name()));
    }
    target.run(connection -> to.upgrade(connection, (version, next) -> {}));
    target.run(to::allowLongCalls);
    if (!marked) {
      CopyProgress.create(target);
    }
    target.begin();
    for (String table : CopiedTables.NEVER_EMPTY) {
      target.execute("delete from " + table);
    }
    CopyProgress.begin(target, source.name(), source.number(STATE), totals);
    target.commit();
  }

  private void checkEmpty(TakenDatabase target) {
    Set<String> tables = target.call(to::tables);
    for (CopiedTable table : CopiedTables.ALL) {
      if (tables.contains(table.name())
          && !CopiedTables.NEVER_EMPTY.contains(table.name())
          && target.number("select count(*) from (select 1 from " + table.name() + " limit 1) one")
              > 0) {
        throw target.storeException(
            "is not empty (table "
                + table.name()
                + "); only an empty database, or an unfinished copy of the same one, can be the"
                + " target. It was not changed");
      }
    }
  }

  private static void checkContinued(
      TakenDatabase source, TakenDatabase target, CopyMark.Copy copy) {
    if (!source.name().equals(copy.source())) {
      throw target.storeException(
          "is a copy of " + copy.source() + ", not of " + source.name() + ". It was not changed");
    }
    checkVersion(target);
  }

  private void copy(
      CopiedTable table, TakenDatabase source, TakenDatabase target, CopyProgress progress) {
    CopyProgress.Entry entry =
        Objects.requireNonNull(progress.of(table), "a copy of another version");
    if (entry.complete()) {
      return;
    }
    try (PortionReader reader = new PortionReader(source, table, portions);
        RowWriter writer = new RowWriter(target, table)) {
      long @Nullable [] position = reader.read(entry.position(), writer::add);
      while (position != null) {
        writer.flush();
        progress.advance(table, position, reader.rows());
        target.commit();
        done += reader.rows();
        listener.advanced(Step.COPY, table.name(), done, all);
        position = reader.read(position, writer::add);
      }
      progress.complete(table); // committed with the next portion
    }
  }

  private void verify(TakenDatabase source, TakenDatabase target) {
    done = 0;
    for (CopiedTable table : CopiedTables.ALL) {
      TableSum ours = sum(table, source);
      TableSum theirs = sum(table, target);
      if (!ours.isSame(theirs)) {
        throw new StoreException(
            StoreException.Category.DAMAGED,
            "the copy is wrong: table "
                + table.name()
                + " has "
                + theirs.rows()
                + (ours.rows() == theirs.rows()
                    ? " rows as it should, but with different content"
                    : " rows instead of " + ours.rows())
                + ". Empty "
                + target.name()
                + " and copy again",
            null);
      }
    }
  }

  private TableSum sum(CopiedTable table, TakenDatabase database) {
    TableSum sum = new TableSum();
    Consumer<Row> add = sum::add;
    try (PortionReader reader = new PortionReader(database, table, portions)) {
      long @Nullable [] position = PortionReader.start(table);
      while (position != null) {
        position = reader.read(position, add);
        done += reader.rows();
        listener.advanced(Step.VERIFY, table.name(), done, 2 * all);
      }
    }
    return sum;
  }

  /// No id of an owner is issued twice, also if the owner with the highest one was removed.
  private static void continueOwnerIds(TakenDatabase source, TakenDatabase target) {
    long last = source.number(source.dialect().syntax().lastOwnerId());
    if (last > target.number(target.dialect().syntax().lastOwnerId())) {
      target.execute(target.dialect().syntax().continueOwnerIds(last).toArray(new String[0]));
    }
  }
}
