package im.zonda.app.load;

import im.zonda.app.plugin.SamplePlugins;
import java.io.IOException;
import java.nio.file.Path;

/// Writes jars of plugins for measurements: one that lets all messages pass, in its two forms, and
/// those that misbehave.
public final class PluginJars {
  private PluginJars() {}

  /// Writes them.
  ///
  /// @param args the folder
  public static void main(String[] args) throws IOException {
    if (args.length != 1) {
      System.err.println("give a folder");
      System.exit(2);
    }
    SamplePlugins.write(Path.of(args[0]));
  }
}
