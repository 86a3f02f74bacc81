package im.zonda.config.plugin;

import java.util.List;

/// A value in the section of a plugin, before it is checked against the plugin's manifest. The
/// kinds are those of the file, not those of the manifest: a duration is a text here.
public sealed interface PluginValue {
  /// A text in the file. May be a secret.
  record Text(String text) implements PluginValue {
    @Override
    public String toString() {
      return "Text[(not shown)]";
    }
  }

  /// A whole number in the file.
  record Whole(long number) implements PluginValue {}

  /// A yes or no in the file.
  record Flag(boolean on) implements PluginValue {}

  /// Texts in the file, in their order.
  record Texts(List<String> texts) implements PluginValue {
    /// Copies the list.
    public Texts {
      texts = List.copyOf(texts);
    }

    @Override
    public String toString() {
      return "Texts[(not shown)]";
    }
  }

  /// The text of an environment variable, which may stand for a value of any type. May be a secret.
  record Variable(String text) implements PluginValue {
    @Override
    public String toString() {
      return "Variable[(not shown)]";
    }
  }
}
