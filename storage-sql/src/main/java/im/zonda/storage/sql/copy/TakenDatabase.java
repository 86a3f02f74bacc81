package im.zonda.storage.sql.copy;

import im.zonda.storage.sql.database.Dialect;
import im.zonda.store.StoreException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// A database and its one connection, without automatic commits: one that only this process uses,
/// or one that others change while this process reads a snapshot of it.
///
/// @param dialect the kind of database
/// @param connection the connection
/// @param isSnapshot whether everything is read in one transaction, which sees what was committed
///   before its first query
record TakenDatabase(Dialect dialect, Connection connection, boolean isSnapshot)
    implements AutoCloseable {
  /// A call to the database.
  @FunctionalInterface
  interface Call<T extends @Nullable Object> {
    T run(Connection connection) throws SQLException;
  }

  /// A call without a result.
  @FunctionalInterface
  interface Work {
    void run(Connection connection) throws SQLException;
  }

  /// Takes a database.
  ///
  /// @throws StoreException if it cannot be used
  static TakenDatabase take(Dialect dialect) {
    return open(dialect, false);
  }

  /// Begins to read a database that a server may use and change.
  ///
  /// @throws StoreException if it cannot be used
  static TakenDatabase snapshot(Dialect dialect) {
    return open(dialect, true);
  }

  private static TakenDatabase open(Dialect dialect, boolean isSnapshot) {
    try {
      TakenDatabase taken =
          new TakenDatabase(
              dialect, isSnapshot ? dialect.openReader() : dialect.take(), isSnapshot);
      try {
        dialect.allowLongCalls(taken.connection);
        if (isSnapshot) {
          taken.begin();
        }
        return taken;
      } catch (SQLException | RuntimeException e) {
        taken.close();
        throw e;
      }
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  String name() {
    return dialect.name();
  }

  /// Runs a call and converts its failure, whose message names the database.
  <T extends @Nullable Object> T call(Call<T> call) {
    try {
      return call.run(connection);
    } catch (SQLException e) {
      throw dialect.exception(e);
    }
  }

  /// As [#call].
  void run(Work work) {
    call(each -> {
      work.run(each);
      return true;
    });
  }

  /// Executes statements in a transaction that is not committed.
  void execute(String... statements) {
    run(each -> {
      try (Statement statement = each.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      }
    });
  }

  /// The first number that a query finds; 0 if it finds none.
  long number(String query) {
    return call(each -> {
      try (Statement statement = each.createStatement();
          ResultSet row = statement.executeQuery(query)) {
        return row.next() ? row.getLong(1) : 0;
      }
    });
  }

  void begin() {
    run(each -> each.setAutoCommit(false));
  }

  void commit() {
    run(Connection::commit);
  }

  /// Ends the transaction of a query, unless all queries are made in one.
  void endQuery() {
    if (!isSnapshot) {
      commit();
    }
  }

  /// A failure of this database.
  StoreException storeException(String what) {
    return new StoreException(StoreException.Category.UNAVAILABLE, name() + " " + what, null);
  }

  /// Closes the connection; what was not committed is rolled back.
  @Override
  public void close() {
    run(each -> {
      try (each) {
        if (!each.getAutoCommit()) {
          each.rollback();
        }
      }
    });
  }
}
