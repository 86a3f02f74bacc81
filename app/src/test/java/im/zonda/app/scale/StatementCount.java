package im.zonda.app.scale;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;

/// Notes the SQL statements that the threads for queries prepare. The writer's are none of a list.
final class StatementCount implements UnaryOperator<Connection> {
  private static final String READERS = "zonda-store-reader-";

  /// Loads classes before the first query.
  private static final String WARM_UP = "select id from account where id = ?";

  private final Queue<String> statements = new ConcurrentLinkedQueue<>();

  /// The statements since the last call.
  List<String> take() {
    List<String> taken = List.copyOf(statements);
    statements.clear();
    return taken;
  }

  @Override
  public Connection apply(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (_, method, arguments) -> {
              if (method.getName().equals("prepareStatement")) {
                note(String.valueOf(arguments[0]));
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void note(String sql) {
    if (Thread.currentThread().getName().startsWith(READERS) && !sql.equals(WARM_UP)) {
      statements.add(sql.strip().replaceAll("\\s+", " "));
    }
  }
}
