package im.zonda.plugins.filter.rule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The folder with the files of rules, `NAME.rules`, and the lists that they name. Not thread-safe.
///
/// A file that is wrong keeps the rules that it had; a folder that is not there keeps all.
public final class RuleFolder {
  /// The most bytes of a file.
  public static final int MOST_BYTES = 4 * 1024 * 1024;

  /// The most files in the folder.
  public static final int MOST_FILES = 500;

  /// The most rules.
  public static final int MOST_RULES = 1_000;

  /// The most words of all rules.
  public static final int MOST_WORDS = 200_000;

  /// The most patterns of all rules.
  public static final int MOST_PATTERNS = 5_000;

  private static final String ENDING = ".rules";

  /// What is seen of a file from outside.
  private record State(FileTime modified, long size, @Nullable Object key) {}

  /// What is in the folder.
  ///
  /// @param rules the rules that count, in the order of their files and lines
  /// @param files the names of the files with rules that count
  /// @param problems what is wrong
  public record Contents(List<Rule> rules, List<String> files, List<RuleProblem> problems) {
    /// Copies the lists.
    public Contents {
      rules = List.copyOf(rules);
      files = List.copyOf(files);
      problems = List.copyOf(problems);
    }
  }

  private final Path folder;
  private final Map<String, List<Rule>> accepted = new TreeMap<>();
  private Map<String, State> seen = Map.of();
  private boolean isFirst = true;

  public RuleFolder(Path folder) {
    this.folder = folder;
  }

  /// Reads the files if one of them has changed since the last call, or a file is new or gone.
  ///
  /// @return what is in the folder; null if nothing has changed
  public @Nullable Contents readIfChanged() {
    Map<String, State> now;
    try {
      now = states();
    } catch (IOException e) {
      boolean isKnown = seen.isEmpty() && !isFirst;
      seen = Map.of();
      isFirst = false;
      return isKnown
          ? null
          : contents(List.of(new RuleProblem(folderName(), 0, "cannot be read: " + reason(e))));
    }
    if (now.equals(seen) && !isFirst) {
      return null;
    }
    seen = now;
    isFirst = false;
    return read(now);
  }

  private String folderName() {
    return String.valueOf(folder.getFileName());
  }

  private Map<String, State> states() throws IOException {
    Map<String, State> states = new TreeMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (states.size() == MOST_FILES) {
          throw new IOException("there are more than " + MOST_FILES + " files");
        }
        states.put(String.valueOf(file.getFileName()), state(file));
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return states;
  }

  private static State state(Path file) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new State(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
    } catch (IOException e) {
      return new State(
          FileTime.fromMillis(0), -1, null); // it has vanished: the next look sees that
    }
  }

  private Contents read(Map<String, State> states) {
    List<RuleProblem> problems = new ArrayList<>();
    accepted.keySet().retainAll(states.keySet());
    for (String name : states.keySet()) {
      if (name.endsWith(ENDING) && !name.startsWith(".")) {
        readFile(name, problems);
      }
    }
    return contents(problems);
  }

  private Contents contents(List<RuleProblem> problems) {
    List<Rule> rules = new ArrayList<>();
    accepted.values().forEach(rules::addAll);
    return new Contents(rules, List.copyOf(accepted.keySet()), problems);
  }

  private void readFile(String name, List<RuleProblem> problems) {
    List<Rule> rules;
    RuleReader reader = new RuleReader(name, this::lines);
    try {
      rules = reader.read(lines(name));
    } catch (IOException e) {
      problems.add(new RuleProblem(name, 0, reason(e)));
      return;
    }
    if (!reader.problems().isEmpty()) {
      problems.addAll(reader.problems());
      return;
    }
    String tooMany = tooMany(name, rules);
    if (tooMany != null) {
      problems.add(new RuleProblem(name, 0, tooMany));
    } else {
      accepted.put(name, rules);
    }
  }

  private @Nullable String tooMany(String name, List<Rule> added) {
    List<Rule> all = new ArrayList<>(added);
    accepted.forEach((file, rules) -> all.addAll(file.equals(name) ? List.of() : rules));
    long words = 0;
    long patterns = 0;
    for (Rule rule : all) {
      words += rule.words().size() + rule.allowed().size();
      patterns += rule.patterns().size();
    }
    if (all.size() > MOST_RULES) {
      return "with this file there are more than " + MOST_RULES + " rules";
    }
    if (words > MOST_WORDS) {
      return "with this file there are more than " + MOST_WORDS + " words";
    }
    return patterns > MOST_PATTERNS
        ? "with this file there are more than " + MOST_PATTERNS + " patterns"
        : null;
  }

  /// Reads the lines of a file of the folder. A link is followed only to what is in the folder, so
  /// that no message shows a line of another file.
  private List<String> lines(String name) throws IOException {
    Path file = folder.resolve(name).normalize();
    if (!folder.normalize().equals(file.getParent()) || name.indexOf('\0') >= 0) {
      throw new IOException("a file stands in the folder of the rules");
    }
    try {
      if (!file.toRealPath().startsWith(folder.toRealPath())) {
        throw new IOException("it is a link to a file outside the folder of the rules");
      }
    } catch (NoSuchFileException e) {
      throw new IOException("there is no such file", e);
    }
    if (!Files.isRegularFile(file)) {
      throw new IOException("it is no file");
    }
    return text(bytes(file)).lines().toList();
  }

  private static byte[] bytes(Path file) throws IOException {
    if (Files.size(file) <= MOST_BYTES) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length <= MOST_BYTES) {
          return bytes;
        }
      }
    }
    throw new IOException("it has more than " + MOST_BYTES / (1024 * 1024) + " MiB");
  }

  private static String text(byte[] bytes) throws IOException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.startsWith("\uFEFF") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new IOException("it is not in UTF-8", e);
    }
  }

  private static String reason(IOException e) {
    return e instanceof NoSuchFileException ? "is not there" : String.valueOf(e.getMessage());
  }
}
