package im.zonda.app.support;

import im.zonda.operation.Call;
import im.zonda.operation.Caller;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Operations;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Operations for those who help with a server.
///
/// @param operations gives what goes into a file, as far as the requester may know it
/// @param data the data folder
/// @param clock the time
public record SupportOperations(Operations operations, Path data, InstantSource clock) {
  /// Files that are kept; older ones are removed.
  static final int MOST_FILES = 5;

  private static final int MOST_TEXT = 1_000_000;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'zonda-support-'yyyyMMdd-HHmmss'.zip'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /// Threads.
  public record Threads(
      @Field(value = "the stack of each thread", form = Form.LINES, max = MOST_TEXT) String text) {}

  /// `server.threads`.
  public static final Operation<Nothing, Threads> THREADS =
      Operation.read("server.threads", Right.SERVER)
          .ofNode()
          .at(
              "GET /server/threads",
              "Show what the threads of the server do, without its virtual ones",
              Nothing.class,
              Threads.class);

  /// `server.bundle`.
  public static final Operation<Nothing, Nothing> BUNDLE =
      Operation.change("server.bundle", Right.SERVER)
          .at(
              "POST /server/bundles",
              "Write a file for those who help, without contents and secrets, to the data folder",
              Nothing.class,
              Nothing.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(BUNDLE, THREADS);

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        BUNDLE.by((call, _) -> call.start("Write a file for those who help", _ -> bundle(call))),
        THREADS.by((_, _) -> Outcome.done(new Threads(threads()))));
  }

  /// The usual name of a file of that time.
  public static String name(Instant now) {
    return NAME.format(now);
  }

  private String bundle(Call call) throws IOException {
    Path folder = Files.createDirectories(data.resolve("support"));
    Path file = folder.resolve(name(clock.instant()));
    write(file, (operation, given) -> ask(call.caller(), operation, given), clock.instant());
    removeOld(folder);
    call.changed("file", null, file.toString());
    return "wrote " + file;
  }

  /// Writes a new file that only its owner can read.
  ///
  /// @throws IOException if there is one, or it cannot be written
  public static void write(Path file, SupportBundle.Asker asker, Instant now) throws IOException {
    if (Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix")) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } else {
      Files.createFile(file);
    }
    try (OutputStream out = Files.newOutputStream(file, StandardOpenOption.WRITE)) {
      SupportBundle.write(out, asker, now);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private static void removeOld(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path each : files.subList(Math.min(MOST_FILES, files.size()), files.size())) {
      Files.deleteIfExists(each);
    }
  }

  /// Runs an operation as somebody who may, without an entry of the audit if they may not.
  private Map<String, @Nullable Object> ask(
      Caller caller, Operation<?, ?> operation, Map<String, String> given) throws IOException {
    if (!operations.allows(caller, operation.name(), given)) {
      throw new IOException("There is none here, or you may not see it.");
    }
    Outcome<?> outcome = operations.run(caller, operation.name(), given);
    return switch (outcome) {
      case Outcome.Done<?>(Record result) -> operation.result().data(result);
      case Outcome.Partly<?>(Record result, List<Outcome.Failure> failures) -> {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(operation.result().data(result));
        all.put(
            "failures",
            failures.stream().map(each -> each.subject() + ": " + each.reason()).toList());
        yield all;
      }
      case Outcome.Refused<?> refused -> throw new IOException(refused.text());
      case Outcome.Started<?> _, Outcome.Following<?> _ ->
          throw new IllegalStateException(operation + " shows nothing at once");
    };
  }

  private static String threads() {
    StringBuilder text = new StringBuilder();
    Thread.getAllStackTraces().entrySet().stream()
        .sorted(Comparator.comparing(each -> each.getKey().getName()))
        .forEach(each -> {
          Thread thread = each.getKey();
          text.append(thread.getName()).append(' ').append(thread.getState()).append('\n');
          for (StackTraceElement frame : each.getValue()) {
            text.append("  ").append(frame).append('\n');
          }
        });
    return text.substring(0, Math.min(text.length(), MOST_TEXT));
  }
}
