package im.zonda.host.plugin.jar;

import java.util.List;
import java.util.Set;

/// The classes of the server that plugins see: those of the interface for plugins and of the JDK,
/// no others, and no resources.
final class VisibleClasses extends ClassLoader {
  /// The packages, each with its sub-packages.
  static final List<String> PACKAGES =
      List.of(
          "im.zonda.plugin",
          "im.zonda.jid",
          "im.zonda.xml",
          "im.zonda.stanza",
          "im.zonda.operation",
          "im.zonda.http",
          "im.zonda.account.provider",
          "org.slf4j",
          "org.jspecify.annotations");

  /// Single classes that types of those packages mention.
  static final Set<String> CLASSES = Set.of("im.zonda.store.ScramKeys");

  /// Below those packages, but the server's own.
  private static final List<String> HIDDEN =
      List.of(
          "im.zonda.operation.execution",
          "im.zonda.operation.cluster",
          "im.zonda.operation.rest",
          "im.zonda.operation.token");

  private final ClassLoader server;

  /// @param server the loader of the server's own classes
  VisibleClasses(ClassLoader server) {
    super("visible to plugins", ClassLoader.getPlatformClassLoader());
    this.server = server;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (isVisible(name)) {
      return server.loadClass(name);
    }
    throw new ClassNotFoundException(
        name.startsWith("im.zonda.")
            ? name + " is a class of the server, which plugins do not see"
            : name);
  }

  private static boolean isVisible(String name) {
    return CLASSES.contains(name)
        || (PACKAGES.stream().anyMatch(each -> isBelow(name, each))
            && HIDDEN.stream().noneMatch(each -> isBelow(name, each)));
  }

  private static boolean isBelow(String name, String folder) {
    return name.startsWith(folder) && name.startsWith(".", folder.length());
  }
}
