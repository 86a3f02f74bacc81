package im.zonda.study.jar;

import im.zonda.study.cell.Jars;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Runs ProGuard on jars. The others, and the classes of the JDK, are its libraries: its verifier
/// needs every supertype.
///
/// @param java the folder of the JDK
/// @param tools ProGuard and its libraries
/// @param work a folder for its files
record ProGuard(Path java, List<Path> tools, Path work) {
  private static final long MINUTES = 10;

  /// Kept in all variants: what is found by its name.
  private static final String KEPT =
      """
      -dontwarn **
      -dontnote **
      -ignorewarnings
      -keep class im.zonda.app.Main { public static void main(java.lang.String[]); }
      -keep class im.zonda.study.page.PageServer { public static void main(java.lang.String[]); }
      -keepattributes Record,PermittedSubclasses,NestHost,NestMembers,BootstrapMethods,Signature
      -keepattributes *Annotation*,InnerClasses,EnclosingMethod,Exceptions,MethodParameters
      -keep @picocli.CommandLine$Command class * { *; }
      -keepclassmembers class * { @picocli.CommandLine$* *; }
      -keep class * extends java.lang.Record { *; }
      -keep enum * { *; }
      -keep @interface * { *; }
      -keep interface * { *; }
      -keepclasseswithmembers class * { native <methods>; }
      -keepclassmembers class * extends io.netty.channel.ChannelHandlerAdapter { public *; }
      -keep class * implements java.util.function.** { *; }
      """;

  /// Optimisations that are known to break programs are off.
  private static final String OPTIMISE =
      """
      -optimizationpasses 1
      -optimizations !class/merging/*,!class/unboxing/enum,!code/simplification/object
      """;

  /// Changes jars.
  ///
  /// @param changed the jars to change, which get the same names in `to`
  /// @param libraries the other jars
  /// @throws IOException if ProGuard does not run, with its first error
  void run(Jars variant, List<Path> changed, List<Path> libraries, Path to) throws IOException {
    Path classes = jdk();
    List<String> lines = new ArrayList<>();
    for (Path jar : changed) {
      // One output for each input, or all would be in one jar.
      lines.add("-injars '" + jar + "'");
      lines.add("-outjars '" + to.resolve(jar.getFileName()) + "'");
    }
    libraries.forEach(jar -> lines.add("-libraryjars '" + jar + "'(!META-INF/versions/**)"));
    try (Stream<Path> modules = Files.list(classes)) {
      modules.sorted().forEach(module -> lines.add("-libraryjars '" + module + "'"));
    }
    lines.add(rules(variant));
    Path file = work.resolve(variant.folder() + ".pro");
    Files.write(file, lines);
    start(file, work.resolve(variant.folder() + ".log"));
  }

  private static String rules(Jars variant) {
    return switch (variant) {
      case OPTIMISED -> KEPT + OPTIMISE + "-dontshrink\n-dontobfuscate\n-keepattributes *\n";
      case DRIVER ->
          KEPT
              + OPTIMISE
              + "-dontshrink\n-dontobfuscate\n-keepattributes *\n"
              + "-keep public class * { public protected *; }\n";
      case NAMES ->
          KEPT
              + "-dontshrink\n-dontoptimize\n"
              + "-keep public class * { public protected *; }\n"
              + "-keepclassmembers class * { public protected *; }\n"
              + "-keepnames class *\n";
      case SHRUNK ->
          KEPT
              + "-dontoptimize\n-dontobfuscate\n-keepattributes *\n"
              + "-keep class im.zonda.app.log.** { *; }\n";
      case PLAIN, STRIPPED, NO_DEBUG -> throw new IllegalArgumentException(variant.name());
    };
  }

  /// The classes of the JDK as files. Builds of the JDK without the folder jmods keep them only in
  /// one file of their own format.
  private Path jdk() throws IOException {
    Path folder = work.resolve("jdk");
    if (!Files.isDirectory(folder)) {
      Path unfinished = Files.createDirectories(work.resolve("jdk.unfinished"));
      command(
          List.of(
              java.resolve("bin/jimage").toString(),
              "extract",
              "--dir",
              unfinished.toString(),
              "--include",
              "regex:/java\\..*|/jdk\\.(unsupported|net|management|jfr|httpserver)/.*",
              java.resolve("lib/modules").toString()),
          work.resolve("jdk.log"));
      Files.move(unfinished, folder);
    }
    return folder;
  }

  private void start(Path configuration, Path log) throws IOException {
    String path =
        tools.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    command(
        List.of(
            java.resolve("bin/java").toString(),
            "-Xmx2g",
            "-cp",
            path,
            "proguard.ProGuard",
            "@" + configuration),
        log);
  }

  private static void command(List<String> command, Path log) throws IOException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new IOException(command.getFirst() + " has not ended within " + MINUTES + " min");
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    if (process.exitValue() != 0) {
      throw new IOException(firstError(log));
    }
  }

  private static String firstError(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.stream()
        .filter(line -> line.contains("Error") || line.contains("Exception"))
        .findFirst()
        .orElse(lines.isEmpty() ? "ended without a word" : lines.getLast());
  }
}
