package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.console.page.Health;
import im.zonda.console.view.Tone;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// State of a server that is being set up.
///
/// @param host the host that the steps are about
/// @param hosts all hosts with their numbers of accounts
/// @param settings values of keys, in TOML
/// @param waiting the keys whose values wait for a restart
/// @param ports the addresses at which the server listens, by their keys
/// @param certificate how it is with the certificate of the host
/// @param dns what was found in DNS; null if that was not looked at lately
/// @param reach what was found by connecting as others do; null likewise
record StartState(
    String host,
    Map<String, Long> hosts,
    Map<String, String> settings,
    List<String> waiting,
    List<Map<?, ?>> ports,
    Map<?, ?> certificate,
    @Nullable Map<String, @Nullable Object> dns,
    @Nullable Map<String, @Nullable Object> reach) {
  static final String DNS_CHECK = "dns.check";
  static final String REACH_CHECK = "host.reach";
  static final String ACME = "certificate.acme";

  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
  private static final String MOST_KEYS = "500";
  private static final String LOCAL = "localhost";

  /// A step's state.
  ///
  /// @param word of the text that says it
  record Mark(Tone tone, String word) {
    boolean isDone() {
      return tone == Tone.GOOD;
    }
  }

  /// Reads it.
  static StartState read(Desk desk, KnownChecks checks) {
    return read(desk, checks, desk.query("host"));
  }

  /// Reads it.
  ///
  /// @param asked the host that the steps are about; another if there is none of that name
  static StartState read(Desk desk, KnownChecks checks, String asked) {
    Map<String, Long> hosts = new LinkedHashMap<>();
    for (Map<?, ?> each : Health.list(desk.data("host.list", Map.of()), "hosts")) {
      hosts.put(Health.string(each, "host"), Health.number(each, "accounts"));
    }
    return read(desk, checks, asked, hosts);
  }

  /// Reads it without counting accounts: whether there is any is all that is known of them.
  static StartState brief(Desk desk, KnownChecks checks, FirstAccount first) {
    Map<String, Long> hosts = new LinkedHashMap<>();
    long accounts = first.exists(desk) ? 1 : 0;
    desk.hosts().forEach(host -> hosts.put(host, accounts));
    return read(desk, checks, "", hosts);
  }

  private static StartState read(
      Desk desk, KnownChecks checks, String asked, Map<String, Long> hosts) {
    String host =
        hosts.containsKey(asked)
            ? asked
            : hosts.keySet().stream()
                .filter(each -> !each.equals(LOCAL))
                .findFirst()
                .orElse(hosts.isEmpty() ? LOCAL : hosts.keySet().iterator().next());
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> waiting = new ArrayList<>();
    Map<String, String> all = Map.of("limit", MOST_KEYS);
    for (Map<?, ?> each : Health.list(desk.data("config.list", all), "keys")) {
      settings.put(Health.string(each, "key"), Health.string(each, "value"));
      if (Boolean.TRUE.equals(each.get("waits"))) {
        waiting.add(Health.string(each, "key"));
      }
    }
    Map<?, ?> certificate = Map.of();
    if (desk.may(ACME)) {
      for (Map<?, ?> each : Health.list(desk.data(ACME, Map.of()), "hosts")) {
        certificate = Health.string(each, "host").equals(host) ? each : certificate;
      }
    }
    List<Map<?, ?>> ports =
        desk.may("server.status")
            ? Health.list(desk.data("server.status", Map.of()), "listeners")
            : List.of();
    return new StartState(
        host,
        hosts,
        settings,
        waiting,
        ports,
        certificate,
        checks.last(desk, DNS_CHECK, host),
        checks.last(desk, REACH_CHECK, host));
  }

  /// Whether the host is a name of this machine only.
  boolean isLocal() {
    return host.equals(LOCAL);
  }

  /// Whether nothing was done with the server yet.
  boolean isFresh() {
    return hosts.size() == 1 && isLocal() && accounts() == 0;
  }

  long accounts() {
    return hosts.values().stream().mapToLong(each -> each).sum();
  }

  /// The elements of a key that is a list.
  List<String> elements(String key) {
    List<String> found = new ArrayList<>();
    Matcher matcher = QUOTED.matcher(settings.getOrDefault(key, ""));
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  /// A setting that is a text or a word, without quotes.
  String setting(String key) {
    return settings.getOrDefault(key, "").replaceAll("^\"|\"$", "");
  }

  /// How far a step is.
  Mark mark(StartStep step) {
    return switch (step) {
      case DOMAIN -> isLocal() ? new Mark(Tone.WARNING, "todo") : new Mark(Tone.GOOD, "done");
      case NETWORK -> network();
      case DNS -> checked(dns == null ? null : Health.number(dns, "wrong"));
      case CERTIFICATE -> certificateMark();
      case REACH -> checked(reach == null ? null : Health.number(reach, "problems"));
      case PEOPLE -> accounts() == 0 ? new Mark(Tone.WARNING, "todo") : new Mark(Tone.GOOD, "done");
    };
  }

  private Mark network() {
    boolean open =
        ports.stream()
            .anyMatch(each ->
                Health.string(each, "key").startsWith("c2s.")
                    && !isLoopback(Health.string(each, "address")));
    boolean waits = waiting.stream().anyMatch(each -> each.contains(".listen"));
    String word = waits ? "restart" : open ? "done" : "todo";
    return new Mark(open && !waits ? Tone.GOOD : Tone.WARNING, word);
  }

  /// Whether an authority asks at a port at which the server does not listen.
  boolean needsPort80() {
    return setting("acme.challenge").equals("http-01")
        && !setting("acme.directory").isEmpty()
        && elements("http.listen").stream().noneMatch(each -> each.endsWith(":80"));
  }

  /// Whether only this machine reaches an address.
  static boolean isLoopback(String address) {
    return address.startsWith("127.") || address.startsWith("[::1]");
  }

  private Mark certificateMark() {
    return switch (Health.string(certificate, "state")) {
      case "files", "issued" -> new Mark(Tone.GOOD, "done");
      case "failed" -> new Mark(Tone.BAD, "failed");
      case "asking", "waiting" -> new Mark(Tone.WARNING, "asking");
      default -> new Mark(Tone.WARNING, "todo");
    };
  }

  private Mark checked(@Nullable Long wrong) {
    if (isLocal()) {
      return new Mark(Tone.PLAIN, "local");
    }
    if (wrong == null) {
      return new Mark(Tone.PLAIN, "unchecked");
    }
    return wrong == 0 ? new Mark(Tone.GOOD, "done") : new Mark(Tone.WARNING, "wrong");
  }
}
