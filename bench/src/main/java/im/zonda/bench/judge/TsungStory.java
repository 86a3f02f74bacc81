package im.zonda.bench.judge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/// A scenario of Tsung that comes with Zonda.
public enum TsungStory {
  /// Many quiet people, and a few that are active.
  OFFICE(12),
  /// Log in with a roster, a message to someone online, one to someone who is not, leave.
  CLUSTER(3),
  /// Roster, vCard, message online and offline, group chat.
  STORY(6),
  /// Group chat.
  ROOMS(4);

  private static final String FILE = "tsung.xml";
  private final int secondsOfSession;

  TsungStory(int secondsOfSession) {
    this.secondsOfSession = secondsOfSession;
  }

  /// The story with that word.
  ///
  /// @throws IllegalArgumentException if there is none
  public static TsungStory of(String word) {
    return Arrays.stream(values())
        .filter(story -> story.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "there is no story " + word + "; there are office, cluster, story, rooms"));
  }

  /// Its word on the command line.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// How long a session takes if nothing is slow.
  public Duration session() {
    return Duration.ofSeconds(secondsOfSession);
  }

  /// Writes the scenario and the files of its people into a folder.
  ///
  /// @return the scenario
  /// @throws IOException if they cannot be written
  public Path write(Path folder, TsungLoad load) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("users.csv"), people(0, load.users(), load.password()));
    Files.writeString(
        folder.resolve("absent.csv"), people(load.users(), load.absent(), load.password()));
    return Files.writeString(folder.resolve(FILE), text(folder, load));
  }

  /// The scenario as Tsung reads it.
  String text(Path folder, TsungLoad load) {
    String text = read(word() + ".xml.in").replace("@LOGIN@\n", read("login.xml.in"));
    Map<String, String> values =
        Map.of(
            "HOST", load.address().getAddress().getHostAddress(),
            "PORT", Integer.toString(load.address().getPort()),
            "DOMAIN", load.domain(),
            "ROOMS", load.rooms(),
            "FOLDER", folder.toAbsolutePath().toString(),
            "USERS", Integer.toString(load.users()),
            "RATE", Integer.toString(load.rate()),
            "SECONDS", Integer.toString(load.seconds()));
    for (Map.Entry<String, String> each : values.entrySet()) {
      text = text.replace("@" + each.getKey() + "@", each.getValue());
    }
    return text;
  }

  private static String people(int first, int count, String password) {
    StringBuilder lines = new StringBuilder();
    for (int i = first; i < first + count; i++) {
      lines.append('u').append(i).append(';').append(password).append('\n');
    }
    return lines.toString();
  }

  private static String read(String name) {
    try (InputStream in = TsungStory.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
