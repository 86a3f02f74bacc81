package im.zonda.app.recording;

import im.zonda.operation.Call;
import im.zonda.operation.Field;
import im.zonda.operation.Field.Form;
import im.zonda.operation.Nothing;
import im.zonda.operation.Offer;
import im.zonda.operation.Operation;
import im.zonda.operation.Outcome;
import im.zonda.operation.Right;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.LongSupplier;

/// Recordings of the running server. They hold no contents, no addresses, no properties and no
/// environment of the process, so who may see the state of the server may read them.
public final class RecordingOperations {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(10);

  /// Divisible by three: only the last part has padding.
  private static final int PART_BYTES = 96 * 1024;

  /// How long.
  public record Wanted(
      @Field(value = "how long to record, from 1s to 10m", fallback = "60s") Duration time) {}

  /// A recording.
  public record Row(
      @Field("its name") String name,
      @Field("when it ended") Instant time,
      @Field(value = "its size", form = Form.BYTES) long bytes) {}

  /// The recordings.
  public record Listed(
      @Field("the folder that they are in") String folder,
      @Field("the recordings, the newest first") List<Row> recordings) {}

  /// One of them.
  public record Chosen(@Field(value = "its name", max = 100) String name) {}

  /// A part of a file.
  public record Part(
      @Field(value = "the next part of the file, in Base64", max = 1 << 18) String base64) {}

  /// `server.record`.
  public static final Operation<Wanted, Nothing> RECORD =
      Operation.change("server.record", Right.SERVER)
          .ofNode()
          .at(
              "POST /recordings",
              "Record what the server spends its time on",
              Wanted.class,
              Nothing.class);

  /// `server.recordings`.
  public static final Operation<Nothing, Listed> LIST =
      Operation.read("server.recordings", Right.SERVER)
          .ofNode()
          .at("GET /recordings", "List the recordings", Nothing.class, Listed.class);

  /// `server.recording`.
  public static final Operation<Chosen, Summary> SHOW =
      Operation.read("server.recording", Right.SERVER)
          .ofNode()
          .at("GET /recordings/{name}", "Sum up a recording", Chosen.class, Summary.class);

  /// `server.recording-file`.
  public static final Operation<Chosen, Part> FILE =
      Operation.read("server.recording-file", Right.SERVER)
          .at("GET /recordings/{name}/file", "Send a recording", Chosen.class, Part.class);

  /// The definitions.
  public static final List<Operation<?, ?>> ALL = List.of(RECORD, LIST, SHOW, FILE);

  private final Path folder;
  private final Recordings recordings;
  private final Recorder recorder;

  /// @param data the data folder
  /// @param stanzas how many stanzas have come in since the start
  public RecordingOperations(Path data, LongSupplier stanzas, InstantSource clock) {
    this.folder = data.resolve("recordings");
    this.recordings = new Recordings(folder, clock);
    this.recorder = new Recorder(stanzas);
  }

  /// The operations.
  public List<Offer<?, ?>> offers() {
    return List.of(
        RECORD.by(this::record),
        LIST.by((_, _) -> list()),
        SHOW.by((_, chosen) -> show(chosen)),
        FILE.by((_, chosen) -> send(chosen)));
  }

  private Outcome<Nothing> record(Call call, Wanted wanted) {
    Duration time = wanted.time();
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      return Outcome.invalid("time", "A recording takes from 1s to 10m.");
    }
    if (!recorder.reserve()) {
      return Outcome.conflict("A recording goes on already.");
    }
    boolean started = false;
    try {
      Outcome<Nothing> outcome =
          call.start(
              "Record what the server does",
              progress -> {
                try {
                  String name = recordings.record(recorder, time, progress);
                  call.changed("recording", null, name);
                  return "recorded " + name;
                } finally {
                  recorder.release();
                }
              });
      started = outcome instanceof Outcome.Started<?>;
      return outcome;
    } finally {
      if (!started) {
        recorder.release();
      }
    }
  }

  private Outcome<Listed> list() {
    try {
      return Outcome.done(
          new Listed(
              folder.toString(),
              recordings.list().stream()
                  .map(each -> new Row(each.name(), each.time(), each.bytes()))
                  .toList()));
    } catch (IOException e) {
      return unreadable(e);
    }
  }

  private Outcome<Summary> show(Chosen chosen) {
    try {
      Recordings.Found found = recordings.find(chosen.name());
      return found == null ? unknown(chosen) : Outcome.done(Summary.of(recordings.profile(found)));
    } catch (IOException e) {
      return unreadable(e);
    }
  }

  private Outcome<Part> send(Chosen chosen) {
    try {
      Recordings.Found found = recordings.find(chosen.name());
      return found == null
          ? unknown(chosen)
          : new Outcome.Following<>(sink -> send(found.file(), sink));
    } catch (IOException e) {
      return unreadable(e);
    }
  }

  private static void send(Path file, Outcome.Sink<Part> sink) throws IOException {
    Base64.Encoder encoder = Base64.getEncoder();
    try (InputStream in = Files.newInputStream(file)) {
      byte[] buffer = new byte[PART_BYTES];
      for (int length = in.readNBytes(buffer, 0, PART_BYTES);
          length > 0;
          length = in.readNBytes(buffer, 0, PART_BYTES)) {
        sink.accept(new Part(encoder.encodeToString(Arrays.copyOf(buffer, length))));
      }
    }
  }

  private static <R extends Record> Outcome<R> unknown(Chosen chosen) {
    return Outcome.notFound("There is no recording " + chosen.name() + ".");
  }

  private static <R extends Record> Outcome<R> unreadable(IOException e) {
    return Outcome.refused(
        Outcome.Reason.UNAVAILABLE, "The recordings cannot be read: " + e.getMessage());
  }
}
