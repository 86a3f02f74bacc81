package im.zonda.app.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The jars of plugins that are measured.
public final class SamplePlugins {
  private static final List<String> MODES =
      List.of("throws", "overflows", "sleeps", "spins", "allocates", "floods");

  private SamplePlugins() {}

  /// Writes `threads.jar`, `inline.jar` and one for each way to misbehave, such as `spins.jar`,
  /// which does so for messages to the account `b0`.
  public static void write(Path folder) throws IOException {
    SampleJar filter = SampleJar.of(Samples.Filter.class, "messages");
    write(folder, "threads", filter.named("threads"));
    write(folder, "inline", filter.named("inline").line("calls = \"inline\""));
    for (String mode : MODES) {
      SampleJar jar =
          SampleJar.of(Samples.Misbehaving.class, "messages", "send")
              .named(mode)
              .line("[settings.mode]\ntype = \"text\"\ndoc = \"x\"\ndefault = \"" + mode + '"')
              .line("[settings.victim]\ntype = \"text\"\ndoc = \"x\"\ndefault = \"b0\"");
      write(folder, mode, jar);
    }
  }

  private static void write(Path folder, String name, SampleJar jar) throws IOException {
    Files.write(Files.createDirectories(folder).resolve(name + ".jar"), jar.bytes());
  }
}
