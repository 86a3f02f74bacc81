package im.zonda.plugins.webhooks;

import im.zonda.operation.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The deliveries of all targets, as the files of a folder describe them. [#look] and [#close] are
/// called by one thread at a time, the rest by any.
final class Targets implements AutoCloseable {
  /// The most targets.
  static final int MOST = 32;

  private static final String ENDING = ".toml";
  private static final String NAME = "[a-z0-9]+(-[a-z0-9]+)*";
  private static final int MOST_NAME = 32;

  private final Path queues;
  private final Surroundings surroundings;
  private volatile Map<String, Delivery> deliveries = Map.of();
  private volatile Map<String, String> problems = Map.of();

  /// What was wrong at the look before, so that a file that is being written is not reported.
  private Map<String, String> seen = Map.of();

  /// @param queues the folder of the queues
  Targets(Path queues, Surroundings surroundings) {
    this.queues = queues;
    this.surroundings = surroundings;
  }

  /// The deliveries at present, by the names of their targets.
  Map<String, Delivery> deliveries() {
    return deliveries;
  }

  /// What is wrong with files, by the names of their targets.
  Map<String, String> problems() {
    return problems;
  }

  /// Reads the files, and takes over what has changed since. A target whose file is wrong stays
  /// unchanged; one whose file is gone ends, and its queue stays on the disk.
  ///
  /// @throws IOException if the folder cannot be read
  synchronized void look(Path folder, Secret secret, Duration sync) throws IOException {
    TargetReader reader = new TargetReader(folder, secret);
    Map<String, Delivery> current = new TreeMap<>();
    Map<String, String> wrong = new TreeMap<>();
    Map<String, Delivery> former = new LinkedHashMap<>(deliveries);
    for (Path file : files(folder)) {
      String fileName = file.getFileName().toString();
      String name = fileName.substring(0, fileName.length() - ENDING.length());
      Delivery before = former.remove(name);
      try {
        Delivery delivery = delivery(reader, name, file, before, current.size(), sync);
        current.put(name, delivery);
      } catch (TargetFormatException e) {
        wrong.put(name, String.valueOf(e.getMessage()));
        keep(current, name, before);
      } catch (IOException e) {
        wrong.put(name, "A file cannot be read: " + e.getMessage() + ".");
        keep(current, name, before);
      }
    }
    deliveries = Map.copyOf(current);
    former.forEach(this::end);
    report(wrong);
  }

  private static void keep(Map<String, Delivery> current, String name, @Nullable Delivery before) {
    if (before != null) {
      current.put(name, before);
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(each -> each.toString().endsWith(ENDING)).sorted().toList();
    }
  }

  private Delivery delivery(
      TargetReader reader,
      String name,
      Path file,
      @Nullable Delivery before,
      int others,
      Duration sync)
      throws TargetFormatException, IOException {
    if (!name.matches(NAME) || name.length() > MOST_NAME) {
      throw new TargetFormatException(
          "The name of the file must be of lower-case letters, digits and hyphens, at most "
              + MOST_NAME
              + " characters.");
    }
    if (before == null && others >= MOST) {
      throw new TargetFormatException("There are more than " + MOST + " targets.");
    }
    Target target = reader.read(name, file);
    if (before == null) {
      surroundings.log().info("Target {}: events are sent to {}.", name, origin(target));
      return Delivery.open(target, queues.resolve(name), sync, surroundings);
    }
    if (!before.target().equals(target)) {
      surroundings.log().info("Target {} has changed.", name);
      before.change(target, sync);
    }
    return before;
  }

  /// The address without path and query, which may have a token.
  static String origin(Target target) {
    return target.url().getScheme() + "://" + target.url().getRawAuthority();
  }

  private void end(String name, Delivery delivery) {
    surroundings
        .log()
        .info("Target {} is gone. Events that it has not accepted stay in {}.", name, queues);
    close(name, delivery);
  }

  private void close(String name, Delivery delivery) {
    try {
      delivery.close();
    } catch (IOException e) {
      surroundings.log().warn("Target {}: the queue cannot be closed.", name, e);
    }
  }

  /// Reports what is wrong for the second time, and was not reported.
  private void report(Map<String, String> wrong) {
    Map<String, String> known = new TreeMap<>(problems);
    known.keySet().retainAll(wrong.keySet());
    List<String> told = new ArrayList<>();
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      boolean isSteady = each.getValue().equals(seen.get(each.getKey()));
      if (isSteady && !each.getValue().equals(known.put(each.getKey(), each.getValue()))) {
        told.add("The file of the webhook target " + each.getKey() + ": " + each.getValue());
      }
    }
    problems = Map.copyOf(known);
    seen = wrong;
    for (String each : told) {
      surroundings.log().warn("{}", each);
    }
  }

  /// Writes to the log what was lost.
  void reportLosses() {
    deliveries.values().forEach(Delivery::reportLosses);
  }

  @Override
  public synchronized void close() {
    Map<String, Delivery> all = deliveries;
    deliveries = Map.of();
    List<Thread> threads = new ArrayList<>();
    all.forEach(
        (name, delivery) -> threads.add(Thread.startVirtualThread(() -> close(name, delivery))));
    boolean interrupted = false;
    for (Thread each : threads) {
      try {
        each.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
