package im.zonda.host.plugin.jar;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/// Loads the classes of one plugin: those in its jar first, then what plugins see of the server. A
/// jar cannot bring classes under names of the interface.
public final class PluginClassLoader extends URLClassLoader {
  static {
    registerAsParallelCapable();
  }

  /// @param plugin the name of the plugin
  /// @param server the loader of the server's own classes
  public PluginClassLoader(String plugin, Path jar, ClassLoader server) {
    super("plugin " + plugin, new URL[] {url(jar)}, new VisibleClasses(server));
  }

  private static URL url(Path jar) {
    try {
      return jar.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("no path of a file: " + jar, e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        loaded = find(name);
      }
      if (resolve) {
        resolveClass(loaded);
      }
      return loaded;
    }
  }

  private Class<?> find(String name) throws ClassNotFoundException {
    ClassNotFoundException hidden;
    try {
      return getParent().loadClass(name);
    } catch (ClassNotFoundException e) {
      hidden = e;
    }
    try {
      return findClass(name);
    } catch (ClassNotFoundException e) {
      throw name.startsWith("im.zonda.") ? hidden : e;
    }
  }
}
