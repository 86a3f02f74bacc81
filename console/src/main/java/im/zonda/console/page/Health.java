package im.zonda.console.page;

import im.zonda.console.view.Cell;
import im.zonda.console.view.Tone;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Whether all is well, and if not, why: from the results of operations.
///
/// @param desk runs them
/// @param rounds what was found by an examination
public record Health(Desk desk, DoctorRounds rounds) {
  /// What reads the state of the server.
  static final String STATUS = "server.status";

  private static final Duration CERTIFICATE = Duration.ofDays(14);
  private static final long DISK_PERCENT = 5;
  private static final long HUNDRED = 100;

  /// Something that is not as it should be.
  ///
  /// @param text a sentence
  /// @param link the page where more is known; empty for none
  record Finding(Tone tone, String text, String link) {
    Cell cell() {
      return Cell.of(text).with(tone).to(link.isEmpty() ? null : link);
    }
  }

  /// What is not as it should be, the worst first.
  List<Finding> findings(ServerState state) {
    Map<String, @Nullable Object> status = state.status();
    List<Finding> findings = new ArrayList<>(ClusterHealth.findings(desk, state));
    database(member(status, "database"), findings);
    disk(member(status, "disk"), findings);
    certificates(findings);
    links(findings);
    providers(findings);
    cluster(member(status, "cluster"), findings);
    issuance(status, findings);
    alarms(status, findings);
    findings.addAll(rounds.latest(desk));
    Set<String> texts = new HashSet<>();
    findings.removeIf(each -> !texts.add(each.text())); // several nodes say the same
    findings.sort(Comparator.comparing(Finding::tone).reversed());
    return findings;
  }

  /// A group of plain data; empty if there is none.
  public static Map<?, ?> member(Map<?, ?> data, String name) {
    return data.get(name) instanceof Map<?, ?> found ? found : Map.of();
  }

  /// A number of plain data; 0 if there is none.
  public static long number(Map<?, ?> data, String name) {
    return data.get(name) instanceof Number found ? found.longValue() : 0;
  }

  public static String string(Map<?, ?> data, String name) {
    return Objects.toString(data.get(name), "");
  }

  private void database(Map<?, ?> database, List<Finding> findings) {
    if (Boolean.FALSE.equals(database.get("storing"))) {
      findings.add(
          new Finding(
              Tone.BAD, desk.text("health.database", string(database, "reason")), Places.LOG));
    }
  }

  private void disk(Map<?, ?> disk, List<Finding> findings) {
    long bytes = number(disk, "bytes");
    long free = number(disk, "freeBytes");
    if (bytes > 0 && free < bytes * DISK_PERCENT / HUNDRED) {
      findings.add(
          new Finding(
              free < bytes / HUNDRED ? Tone.BAD : Tone.WARNING,
              desk.text("health.disk", desk.values().size(free)),
              ""));
    }
  }

  private void certificates(List<Finding> findings) {
    if (!desk.may("certificate.list")) {
      return;
    }
    Map<String, @Nullable Object> data = desk.data("certificate.list", Map.of());
    for (Map<?, ?> each : list(data, "certificates")) {
      Instant ends = instant(each, "ends");
      if (ends == null || ends.isAfter(desk.values().now().plus(CERTIFICATE))) {
        continue;
      }
      boolean over = !ends.isAfter(desk.values().now());
      findings.add(
          new Finding(
              over ? Tone.BAD : Tone.WARNING,
              desk.text(
                  over ? "health.certificate.over" : "health.certificate.soon",
                  string(each, "host"),
                  desk.values().time(ends).text()),
              Places.FOLDER + "certificates"));
    }
  }

  private void links(List<Finding> findings) {
    if (!desk.may("link.list")) {
      return;
    }
    Map<String, @Nullable Object> data = desk.data("link.list", Map.of());
    List<String> failing = new ArrayList<>();
    for (Map<?, ?> each : list(data, "links")) {
      if (each.get("error") != null && !failing.contains(string(each, "remote"))) {
        failing.add(string(each, "remote"));
      }
    }
    if (!failing.isEmpty()) {
      String names = String.join(", ", failing.subList(0, Math.min(failing.size(), 3)));
      findings.add(
          new Finding(
              Tone.WARNING,
              desk.text("health.links", desk.values().number(failing.size()), names),
              Places.FOLDER + "links"));
    }
  }

  /// Who keeps accounts elsewhere and does not answer.
  private void providers(List<Finding> findings) {
    if (!desk.may("provider.list")) {
      return;
    }
    List<String> away =
        list(desk.data("provider.list", Map.of()), "providers").stream()
            .filter(each -> Boolean.FALSE.equals(each.get("answers")))
            .map(each -> string(each, "provider"))
            .distinct()
            .toList();
    if (!away.isEmpty()) {
      findings.add(
          new Finding(
              Tone.BAD,
              desk.text("health.providers", String.join(", ", away)),
              Places.FOLDER + "providers"));
    }
  }

  private void cluster(Map<?, ?> cluster, List<Finding> findings) {
    String state = string(cluster, "state");
    if (!state.isEmpty() && !state.equals("member")) {
      findings.add(
          new Finding(Tone.WARNING, desk.text("health.cluster", state), Places.FOLDER + "cluster"));
    }
  }

  /// Alarms about what is not looked at here anyway, until someone has seen them.
  private void alarms(Map<String, @Nullable Object> status, List<Finding> findings) {
    if (!desk.may("alarm.list")) {
      return;
    }
    for (Map<?, ?> each : list(desk.data("alarm.list", Map.of("active", "true")), "alarms")) {
      if (each.get("acknowledgedBy") == null && !isSaid(each, status, findings)) {
        findings.add(
            new Finding(
                Tone.WARNING,
                desk.text("health.alarm", string(each, "text")),
                Places.FOLDER + "alarms"));
      }
    }
  }

  /// Whether a finding says the same as an alarm.
  private boolean isSaid(
      Map<?, ?> alarm, Map<String, @Nullable Object> status, List<Finding> findings) {
    String free = desk.values().size(number(member(status, "disk"), "freeBytes"));
    return switch (string(alarm, "kind")) {
      case "store" -> Boolean.FALSE.equals(member(status, "database").get("storing"));
      case "disk" ->
          findings.stream().anyMatch(each -> each.text().equals(desk.text("health.disk", free)));
      case "certificate" ->
          findings.stream()
              .anyMatch(each ->
                  each.link().endsWith("certificates")
                      && each.text().contains(string(alarm, "subject")));
      case "node", "replication" ->
          findings.stream()
              .anyMatch(each ->
                  each.link().equals(Places.CLUSTER)
                      && each.text().contains(string(alarm, "subject")));
      case "quorum" -> string(member(status, "cluster"), "state").equals("waiting");
      default -> false;
    };
  }

  private void issuance(Map<String, @Nullable Object> status, List<Finding> findings) {
    for (Map<?, ?> each : list(status, "certificates")) {
      if (number(each, "failures") > 0) {
        findings.add(
            new Finding(
                Tone.WARNING,
                desk.text("health.acme", string(each, "host"), string(each, "reason")),
                Places.FOLDER + "certificates"));
      }
    }
  }

  /// A list of groups of plain data; empty if there is none.
  public static List<Map<?, ?>> list(@Nullable Map<String, @Nullable Object> data, String name) {
    List<Map<?, ?>> all = new ArrayList<>();
    if (data != null && data.get(name) instanceof List<?> found) {
      for (Object each : found) {
        if (each instanceof Map<?, ?> one) {
          all.add(one);
        }
      }
    }
    return all;
  }

  private static @Nullable Instant instant(Map<?, ?> data, String name) {
    return data.get(name) instanceof String text ? Instant.parse(text) : null;
  }

  /// The sentence that says whether all is well.
  static String sentence(Desk desk, List<Finding> findings, Map<String, @Nullable Object> status) {
    Map<?, ?> sessions = member(status, "sessions");
    Map<?, ?> log = member(status, "log");
    long count = people(status);
    String people =
        count == 1
            ? desk.text("health.people.one")
            : desk.text("health.people.many", desk.values().number(count));
    if (findings.isEmpty()) {
      long queued = number(log, "queuedBytes");
      return desk.text(
          "health.well",
          people,
          sessions(desk, number(sessions, "online")),
          queued == 0
              ? desk.text("health.nothing-waits")
              : desk.text("health.waits", desk.values().size(queued)));
    }
    boolean bad = findings.getFirst().tone() == Tone.BAD;
    return desk.text(
        bad ? "health.bad" : "health.warning", String.valueOf(findings.size()), people);
  }

  private static String sessions(Desk desk, long count) {
    return count == 1
        ? desk.text("health.sessions.one")
        : desk.text("health.sessions.many", desk.values().number(count));
  }

  /// Accounts with a connection.
  static long people(Map<String, @Nullable Object> status) {
    return list(status, "hosts").stream().mapToLong(each -> number(each, "online")).sum();
  }
}
