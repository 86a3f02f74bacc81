package im.zonda.console.page;

import im.zonda.console.page.Health.Finding;
import im.zonda.console.view.Tone;
import im.zonda.operation.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Problems that an examination of the server and its machine has found. It takes seconds, so that
/// pages show the last one, and have another one made when that is old. Any thread may call.
final class DoctorRounds {
  /// The operation that examines.
  static final String DOCTOR = "server.doctor";

  private static final Duration FRESH = Duration.ofMinutes(5);

  // Guarded by this object's monitor.
  private List<Finding> found = List.of();
  private @Nullable Instant began;

  /// The problems of the last examination; empty before the first.
  List<Finding> latest(Desk desk) {
    if (!desk.may(DOCTOR)) {
      return List.of();
    }
    Instant now = desk.values().now();
    synchronized (this) {
      Instant last = began;
      if (last != null && now.isBefore(last.plus(FRESH)) && !now.isBefore(last)) {
        return found;
      }
      began = now;
    }
    try {
      desk.operations().later(() -> examine(desk));
    } catch (RejectedExecutionException e) {
      return List.of(); // the server stops
    }
    synchronized (this) {
      return found;
    }
  }

  private void examine(Desk desk) {
    // Several nodes often say the same.
    Map<String, Set<String>> nodes = new LinkedHashMap<>();
    for (Map<?, ?> each : Health.list(desk.data(DOCTOR, Map.of()), "findings")) {
      if (Health.string(each, "level").equals("problem")) {
        String text = Health.string(each, "subject") + ": " + Health.string(each, "text");
        nodes
            .computeIfAbsent(text, _ -> new LinkedHashSet<>())
            .add(Health.string(each, Operation.NODE));
      }
    }
    List<Finding> problems = new ArrayList<>();
    nodes.forEach((text, at) -> {
      String names = String.join(", ", at);
      problems.add(
          new Finding(
              Tone.WARNING,
              names.isEmpty() ? text : names + ": " + text,
              Places.FOLDER + "doctor"));
    });
    synchronized (this) {
      found = List.copyOf(problems);
    }
  }
}
