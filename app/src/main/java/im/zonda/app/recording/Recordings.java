package im.zonda.app.recording;

import im.zonda.operation.Call;
import im.zonda.profile.Profile;
import im.zonda.profile.ProfileReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The recordings that are kept: the last [#MOST], as files in a folder. Any thread may call;
/// blocks.
final class Recordings {
  /// The most recordings that are kept.
  static final int MOST = 10;

  private static final String SUFFIX = ".jfr";
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path folder;
  private final InstantSource clock;

  /// The profiles that were read, by the names of the files. Guarded by this object's monitor.
  private final Map<String, Profile> profiles = new HashMap<>();

  /// A recording.
  record Found(String name, Path file, Instant time, long bytes) {}

  /// @param folder made when there is the first recording
  Recordings(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
  }

  /// Records, keeps the recording, and removes the oldest ones.
  ///
  /// @return the name of the new one
  String record(Recorder recorder, Duration time, Call.Progress progress)
      throws IOException, InterruptedException {
    PrivateFiles.createFolder(folder);
    String name = NAME.format(clock.instant()) + SUFFIX;
    recorder.record(time, folder.resolve(name), progress);
    removeOld();
    return name;
  }

  private synchronized void removeOld() throws IOException {
    List<Found> all = list();
    for (Found each : all.subList(Math.min(MOST, all.size()), all.size())) {
      Files.deleteIfExists(each.file());
    }
    profiles.keySet().retainAll(all.stream().limit(MOST).map(Found::name).toList());
  }

  /// All of them, the newest first.
  List<Found> list() throws IOException {
    List<Found> all = new ArrayList<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
        for (Path each : files) {
          all.add(
              new Found(
                  String.valueOf(each.getFileName()),
                  each,
                  Files.getLastModifiedTime(each).toInstant(),
                  Files.size(each)));
        }
      }
    }
    all.sort(Comparator.comparing(Found::name).reversed());
    return all;
  }

  /// The one of that name, or null. The name is compared, never made a path.
  @Nullable Found find(String name) throws IOException {
    for (Found each : list()) {
      if (each.name().equals(name)) {
        return each;
      }
    }
    return null;
  }

  /// What a recording says. Read once.
  synchronized Profile profile(Found found) throws IOException {
    Profile known = profiles.get(found.name());
    if (known == null) {
      known = ProfileReader.read(found.file());
      profiles.put(found.name(), known);
    }
    return known;
  }
}
