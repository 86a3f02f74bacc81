package im.zonda.app.transfer.destination;

import im.zonda.hash.HashFunction;
import im.zonda.jid.Jid;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Record of how far an import is, in a file of the data folder: the same command goes on from
/// there, and takes nothing twice.
///
/// Each line is a word, an address and perhaps a number, and durable when the method returns. A
/// line that a crash has cut is ignored.
final class Journal implements AutoCloseable {
  private static final String FOLDER = "import";
  private static final int NAME_LENGTH = 16;
  private static final String STARTED = "started";
  private static final String DONE = "done";
  private static final String MESSAGES = "messages";
  private static final String ALL_MESSAGES = "all-messages";

  private final Set<String> started = new HashSet<>();
  private final Set<String> done = new HashSet<>();
  private final Map<String, Long> messages = new HashMap<>();
  private final Set<String> allMessages = new HashSet<>();
  private final @Nullable FileChannel file;
  private boolean continued;

  private Journal(@Nullable FileChannel file) {
    this.file = file;
  }

  /// A journal in memory, for a run that writes nothing.
  static Journal inMemory() {
    return new Journal(null);
  }

  /// The file of the journal of a source.
  static Path path(Path data, String source) {
    String name = HashFunction.SHA_256.hex(source).substring(0, NAME_LENGTH);
    return data.resolve(FOLDER).resolve(name + ".journal");
  }

  /// Opens a journal; creates it if there is none.
  static Journal open(Path path) throws IOException {
    Path folder = path.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    FileChannel channel =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      Journal journal = new Journal(channel);
      List<String> lines = Files.readAllLines(path, StandardCharsets.UTF_8);
      long size = channel.size();
      ByteBuffer last = ByteBuffer.allocate(1);
      boolean cut = size > 0 && channel.read(last, size - 1) == 1 && last.get(0) != '\n';
      for (String line : cut ? lines.subList(0, lines.size() - 1) : lines) {
        journal.read(line);
      }
      journal.continued = !lines.isEmpty();
      if (cut) {
        int partial = lines.getLast().getBytes(StandardCharsets.UTF_8).length;
        channel.truncate(size - partial);
      }
      channel.position(channel.size());
      return journal;
    } catch (IOException e) {
      channel.close();
      throw new IOException(path + " cannot be read; remove it to begin again", e);
    }
  }

  private void read(String line) throws IOException {
    String[] words = line.split(" ", 3);
    if (words.length < 2) {
      throw new IOException("a damaged line: " + line);
    }
    switch (words[0]) {
      case STARTED -> started.add(words[1]);
      case DONE -> done.add(words[1]);
      case MESSAGES -> messages.put(words[1], number(words));
      case ALL_MESSAGES -> allMessages.add(words[1]);
      default -> throw new IOException("a damaged line: " + line);
    }
  }

  private static long number(String[] words) throws IOException {
    try {
      return Long.parseLong(words[2]);
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      throw new IOException("a damaged line: " + String.join(" ", words), e);
    }
  }

  /// Whether an earlier run has begun the import.
  boolean isContinued() {
    return continued;
  }

  /// Whether this import has begun to take an account or room: if it exists, it is the import's.
  boolean isStarted(Jid owner) {
    return started.contains(owner.toString());
  }

  /// Whether this import has taken an account or room, except for its messages.
  boolean isDone(Jid owner) {
    return done.contains(owner.toString());
  }

  /// How many archived messages of the owner have been taken.
  long messages(Jid owner) {
    return messages.getOrDefault(owner.toString(), 0L);
  }

  /// Whether all messages of the owner have been taken.
  boolean hasAllMessages(Jid owner) {
    return allMessages.contains(owner.toString());
  }

  void start(Collection<Jid> owners) {
    write(STARTED, owners);
    owners.forEach(each -> started.add(each.toString()));
  }

  void finish(Collection<Jid> owners) {
    write(DONE, owners);
    owners.forEach(each -> done.add(each.toString()));
  }

  void countMessages(Jid owner, long number) {
    messages.put(owner.toString(), number);
    write(MESSAGES + " " + owner + " " + number + "\n");
  }

  void finishMessages(Jid owner) {
    allMessages.add(owner.toString());
    write(ALL_MESSAGES, List.of(owner));
  }

  private void write(String word, Collection<Jid> owners) {
    StringBuilder lines = new StringBuilder();
    owners.forEach(each -> lines.append(word).append(' ').append(each).append('\n'));
    write(lines.toString());
  }

  private void write(String lines) {
    FileChannel open = file;
    if (open == null || lines.isEmpty()) {
      return;
    }
    try {
      ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        open.write(bytes);
      }
      open.force(false);
    } catch (IOException e) {
      throw new UncheckedIOException("the journal of the import cannot be written", e);
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = file;
    if (open != null) {
      open.close();
    }
  }
}
