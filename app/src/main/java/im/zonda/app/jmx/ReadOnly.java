package im.zonda.app.jmx;

import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.remote.MBeanServerForwarder;
import javax.security.auth.Subject;
import org.jspecify.annotations.Nullable;

/// Requests of clients to a server of MBeans: those that read are passed on, no others.
///
/// Operations are run only if they read threads, which JConsole shows. Properties and arguments of
/// the process may hold secrets: they are shown as if there were none.
final class ReadOnly implements InvocationHandler {
  private static final Set<String> READING =
      Set.of(
          "getAttribute",
          "getAttributes",
          "getDefaultDomain",
          "getDomains",
          "getMBeanCount",
          "getMBeanInfo",
          "getObjectInstance",
          "isInstanceOf",
          "isRegistered",
          "queryMBeans",
          "queryNames");

  /// What the connection itself asks, on behalf of no client.
  private static final Set<String> INTERNAL =
      Set.of(
          "getClassLoader",
          "getClassLoaderFor",
          "getClassLoaderRepository",
          "getMBeanServer",
          "setMBeanServer");

  /// The operations of the threads that change nothing.
  private static final Set<String> OF_THREADS =
      Set.of(
          "findDeadlockedThreads",
          "findMonitorDeadlockedThreads",
          "getThreadAllocatedBytes",
          "getThreadCpuTime",
          "getThreadInfo",
          "getThreadUserTime");

  private static final Set<String> HIDDEN =
      Set.of("BootClassPath", "ClassPath", "InputArguments", "LibraryPath", "SystemProperties");

  private final MBeanServer beans;
  private final Predicate<@Nullable Subject> mayRead;

  private ReadOnly(MBeanServer beans, Predicate<@Nullable Subject> mayRead) {
    this.beans = beans;
    this.mayRead = mayRead;
  }

  /// A forwarder in front of a server of MBeans.
  ///
  /// @param mayRead decides on the sender of each request
  static MBeanServerForwarder before(MBeanServer beans, Predicate<@Nullable Subject> mayRead) {
    return (MBeanServerForwarder)
        Proxy.newProxyInstance(
            ReadOnly.class.getClassLoader(),
            new Class<?>[] {MBeanServerForwarder.class},
            new ReadOnly(beans, mayRead));
  }

  @Override
  public @Nullable Object invoke(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    @Nullable Object @Nullable [] given = arguments;
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, name, given);
    }
    if (INTERNAL.contains(name)) {
      return internal(name, given);
    }
    if (name.equals("removeNotificationListener") && listensItself(method)) {
      return call(method, given); // also at the end of a connection, of which no client knows
    }
    if (!mayRead.test(Subject.current())) {
      throw new SecurityException("The token has ended, or no longer has the right server");
    }
    if (READING.contains(name)
        || (name.equals("addNotificationListener") && listensItself(method))
        || (name.equals("invoke") && given != null && readsThreads(given))) {
      return hidden(method, given, call(method, given));
    }
    throw new SecurityException("JMX is read only: " + name + " is refused");
  }

  /// What the connection asks of any object: it is a key of a map.
  @SuppressWarnings("ReferenceEquality") // each is equal to itself alone
  private static Object ofObject(Object proxy, String name, @Nullable Object @Nullable [] given) {
    return switch (name) {
      case "equals" -> proxy == Objects.requireNonNull(given)[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "read only MBeans";
    };
  }

  private @Nullable Object internal(String name, @Nullable Object @Nullable [] given)
      throws Exception {
    return switch (name) {
      case "getMBeanServer" -> beans;
      case "getClassLoaderRepository" -> beans.getClassLoaderRepository();
      case "getClassLoaderFor" ->
          beans.getClassLoaderFor(
              (ObjectName) Objects.requireNonNull(Objects.requireNonNull(given)[0]));
      case "setMBeanServer" -> null; // it is the one that this was made for
      default -> throw new SecurityException("JMX is read only: " + name + " is refused");
    };
  }

  private @Nullable Object call(Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    try {
      return method.invoke(beans, given);
    } catch (InvocationTargetException e) {
      throw Objects.requireNonNullElse(e.getCause(), e);
    }
  }

  /// Whether the client listens, and no MBean for it.
  private static boolean listensItself(Method method) {
    return method.getParameterCount() < 2 || method.getParameterTypes()[1] != ObjectName.class;
  }

  private static boolean readsThreads(@Nullable Object[] given) {
    return String.valueOf(given[0]).equals(ManagementFactory.THREAD_MXBEAN_NAME)
        && OF_THREADS.contains(String.valueOf(given[1]));
  }

  private static @Nullable Object hidden(
      Method method, @Nullable Object @Nullable [] given, @Nullable Object result) {
    if (given == null
        || given.length == 0
        || !String.valueOf(given[0]).equals(ManagementFactory.RUNTIME_MXBEAN_NAME)) {
      return result;
    }
    return switch (method.getName()) {
      case "getAttribute" -> hidden(String.valueOf(given[1]), result);
      case "getAttributes" -> {
        AttributeList shown = new AttributeList();
        for (Attribute each : ((AttributeList) Objects.requireNonNull(result)).asList()) {
          shown.add(new Attribute(each.getName(), hidden(each.getName(), each.getValue())));
        }
        yield shown;
      }
      default -> result;
    };
  }

  private static @Nullable Object hidden(String attribute, @Nullable Object value) {
    if (!HIDDEN.contains(attribute)) {
      return value;
    }
    return switch (value) {
      case TabularData table -> new TabularDataSupport(table.getTabularType());
      case String[] _ -> new String[0];
      case String _ -> "";
      case List<?> _ -> List.of();
      case Map<?, ?> _ -> Map.of();
      case null, default -> null;
    };
  }
}
