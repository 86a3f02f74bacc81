package im.zonda.storage.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/// A proxy of the connections with which a test delays calls or makes them fail.
public final class InterceptedConnections implements UnaryOperator<Connection> {
  /// What happens before a call reaches the database.
  public interface Hook {
    /// Returns to let the call through.
    ///
    /// @param call such as `executeUpdate`; `commit` is that of a connection that writes, the end
    ///   of a query is `commitQuery`
    public void before(String call) throws SQLException;
  }

  private final List<Connection> opened = new CopyOnWriteArrayList<>();
  private volatile Hook hook = call -> {};

  /// Sets the action before each call from now on.
  public void before(Hook newHook) {
    hook = newHook;
  }

  /// The newest connection that is not closed and writes, as the database made it. It commits
  /// automatically; a connection that will become one for queries does not yet.
  public Connection writer() throws SQLException {
    for (Connection connection : opened.reversed()) {
      if (!connection.isClosed() && !connection.isReadOnly() && !connection.getAutoCommit()) {
        return connection;
      }
    }
    throw new IllegalStateException("none is open");
  }

  /// The newest connection, as the database made it.
  public Connection newest() {
    return opened.getLast();
  }

  @Override
  public Connection apply(Connection real) {
    opened.add(real);
    return (Connection) proxy(Connection.class, real);
  }

  private static boolean isQuery(Object real) throws SQLException {
    return real instanceof Connection connection
        && !connection.isClosed()
        && connection.isReadOnly();
  }

  @SuppressWarnings("ReferenceEquality") // a proxy equals itself only
  private Object proxy(Class<?> type, Object real) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          String name = method.getName();
          if (name.equals("equals")) {
            return proxy == arguments[0];
          }
          if (name.startsWith("execute")
              || name.equals("commit")
              || name.equals("rollback")
              || name.equals("setAutoCommit")
              || name.equals("prepareStatement")
              || name.equals("getTransactionIsolation")
              || name.equals("createStatement")) {
            hook.before(name.equals("commit") && isQuery(real) ? "commitQuery" : name);
          }
          Object result;
          try {
            result = method.invoke(real, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          return switch (result) {
            case PreparedStatement statement -> proxy(PreparedStatement.class, statement);
            case Statement statement -> proxy(Statement.class, statement);
            case null -> null;
            default -> result;
          };
        };
    return Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {type}, handler);
  }
}
