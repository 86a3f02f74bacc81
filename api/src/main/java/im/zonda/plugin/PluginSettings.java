package im.zonda.plugin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// The settings of a plugin: those that its manifest declares, each with the value in
/// `[plugin.NAME]` or the default. Values have been checked against their types and bounds.
///
/// Each method throws [IllegalArgumentException] if the manifest declares no such setting, or one
/// of another type.
@Stable(since = "1.0")
public interface PluginSettings {
  /// A text. Settings of the type `secret` are texts too.
  String text(String name);

  /// A whole number.
  long number(String name);

  /// A yes or no.
  boolean flag(String name);

  /// A length of time.
  Duration duration(String name);

  /// Texts, in their order.
  List<String> texts(String name);

  /// A file: a relative path is meant from the folder of the plugin. Null text is not possible: a
  /// setting without a value is the empty text, and its path the folder itself.
  Path path(String name);
}
