package im.zonda.app.settings;

import im.zonda.config.DataPolicy;
import im.zonda.config.ExternalService;
import im.zonda.config.Services;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Checks of the settings of further services.
final class ServiceChecks {
  /// The names that an attribute of XEP-0215 can have (`xs:NCName`), as far as anyone needs them.
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9._-]*");

  private static final Pattern HOURS = Pattern.compile("[0-9]{1,7}");

  private static final Set<String> READERS =
      Set.of(
          "admins",
          "moderators",
          "organization_member",
          "government",
          "advertisers",
          "partners",
          "none");

  private static final Set<String> FIELDS = Set.of("first", "last", "nick", "email");

  private final String path;
  private final Services services;
  private final BiConsumer<String, String> report;

  /// @param path the dotted path of the services
  /// @param report gets the dotted path and the text of each problem
  ServiceChecks(String path, Services services, BiConsumer<String, String> report) {
    this.path = path;
    this.services = services;
    this.report = report;
  }

  void run() {
    new TreeMap<>(services.external()).forEach(this::external);
    dataPolicy();
    hostMeta();
    Set<String> seen = new HashSet<>();
    for (String field : services.search().fields()) {
      if (!FIELDS.contains(field) || !seen.add(field)) {
        report.accept(
            path + ".search.fields",
            path
                + ".search.fields may contain \"first\", \"last\", \"nick\" and \"email\", not \""
                + field
                + "\"");
      }
    }
    if (services.search().isOn() && seen.isEmpty()) {
      report.accept(path + ".search.fields", path + ".search.fields is empty");
    }
  }

  /// The values that XEP-0504 has for its fields.
  private void dataPolicy() {
    DataPolicy policy = services.dataPolicy();
    String place = path + ".data-policy";
    period(place + ".data-retention", policy.dataRetention(), true);
    period(place + ".backup-frequency", policy.backupFrequency(), false);
    period(place + ".backup-retention", policy.backupRetention(), true);
    String access = place + ".access-policy";
    List<String> wrong =
        policy.accessPolicy().stream().filter(each -> !READERS.contains(each)).toList();
    if (!wrong.isEmpty()) {
      report.accept(access, access + " cannot contain \"" + wrong.getFirst() + "\"");
    }
    if (policy.accessPolicy().contains("none") && policy.accessPolicy().size() > 1) {
      report.accept(access, access + ": \"none\" must be alone");
    }
  }

  private void hostMeta() {
    for (String address : services.hostMeta().addresses()) {
      if (!isAddress(address)) {
        String place = path + ".host-meta.addresses";
        report.accept(place, place + ": " + address + " is not an IP address");
      }
    }
  }

  private static boolean isAddress(String text) {
    try {
      InetAddress _ = InetAddress.ofLiteral(text);
      return text.indexOf('%') < 0; // a zone says nothing to others
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void period(String key, String value, boolean mayBeWord) {
    boolean isWord = mayBeWord && (value.equals("infinite") || value.equals("unknown"));
    if (!value.isEmpty() && !isWord && !HOURS.matcher(value).matches()) {
      report.accept(
          key,
          key
              + " must be a number of hours such as \"720\""
              + (mayBeWord ? ", or \"infinite\" or \"unknown\"" : ""));
    }
  }

  private void external(String name, ExternalService service) {
    String place = path + ".external." + name;
    if (!WORD.matcher(service.type()).matches()) {
      report.accept(place, place + ".type must be set, to a word such as \"turn\"");
    }
    if (service.host().isBlank()) {
      report.accept(place, place + ".host must be set");
    }
    if (service.transport() != null && !WORD.matcher(service.transport()).matches()) {
      report.accept(place + ".transport", place + ".transport must be a word such as \"udp\"");
    }
    if (isEmpty(service.secret()) || isEmpty(service.password())) {
      report.accept(place, place + " has an empty secret or password");
    }
    if ((service.username() == null) != (service.password() == null)) {
      report.accept(place, place + ".username and " + place + ".password must be set together");
    }
    if (service.secret() != null && service.password() != null) {
      report.accept(place, place + ".secret and " + place + ".password must not be set together");
    }
  }

  private static boolean isEmpty(@Nullable String text) {
    return text != null && text.isEmpty();
  }
}
