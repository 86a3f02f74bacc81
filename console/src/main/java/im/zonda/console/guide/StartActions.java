package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.http.page.FormData;
import im.zonda.operation.Outcome;
import im.zonda.operation.Outcome.Reason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Actions of the forms of the first steps: each runs operations.
///
/// @param desk the visit that has sent the form
/// @param state what is known of the server
/// @param form what was sent
record StartActions(Desk desk, StartState state, FormData form) {
  private static final String SET = "config.set";
  private static final String INVITATIONS = "services.invitations.accounts";

  /// Does it.
  Outcome<?> run() {
    return switch (form.get(StartForms.ACTION)) {
      case StartForms.DOMAIN -> domain(form.get(StartForms.DOMAIN).strip());
      case StartForms.NETWORK -> network();
      case StartForms.ACME ->
          set(
              "acme.directory",
              form.get("directory"),
              "acme.terms-agreed=" + flag("terms"),
              "acme.services=" + flag("services"),
              "acme.challenge=" + form.get("challenge"),
              form.get("email").isBlank() ? "acme.email" : "acme.email=" + form.get("email"));
      case StartForms.FILES ->
          set("tls.certificate", form.get("certificate"), "tls.key=" + form.get("key").strip());
      case StartForms.RETRY -> desk.run("certificate.retry", Map.of("domain", state.host()));
      case StartForms.RESTART -> desk.run("server.restart", Map.of());
      case StartForms.INVITE -> invite();
      case StartForms.ADMIN -> administrator(form.get("administrator").strip());
      default -> new Outcome.Refused<>(Reason.INVALID, desk.text("missing.note"), null);
    };
  }

  private String flag(String name) {
    return form.get(name).equals("true") ? "true" : "false";
  }

  private Outcome<?> set(String key, String value, String... also) {
    return desk.run(SET, Map.of("key", key, "value", value.strip(), "also", List.of(also)));
  }

  /// Serves a domain: instead of the name of this machine if nobody has an account of that.
  private Outcome<?> domain(String domain) {
    return state.isFresh() && desk.may(SET)
        ? set("hosts", domain)
        : desk.run("host.add", Map.of("domain", domain));
  }

  private Outcome<?> network() {
    List<String> also = new ArrayList<>();
    for (String key : StartForms.LISTENING.subList(1, StartForms.LISTENING.size())) {
      also.add(key + "=" + list(form.get(key)));
    }
    also.add("s2s.enabled=" + flag("s2s.enabled"));
    String first = StartForms.LISTENING.getFirst();
    return set(first, list(form.get(first)), also.toArray(String[]::new));
  }

  /// Lines as a list in TOML.
  private static String list(String lines) {
    List<String> elements = new ArrayList<>();
    for (String line : lines.split("[\\s,]+", -1)) {
      if (!line.isEmpty()) {
        elements.add('"' + line.replace("\\", "").replace("\"", "") + '"');
      }
    }
    return "[" + String.join(", ", elements) + "]";
  }

  /// Makes an invitation. Until administrators may, the configuration is changed so that they may.
  private Outcome<?> invite() {
    Map<String, String> draft = new LinkedHashMap<>();
    draft.put("host", state.host());
    if (!form.get("username").isBlank()) {
      draft.put("username", form.get("username").strip());
    }
    if (state.setting(INVITATIONS).equals("nobody") && desk.may(SET)) {
      Outcome<?> allowed = set(INVITATIONS, "admins");
      if (!(allowed instanceof Outcome.Done<?>)) {
        return allowed;
      }
    }
    return desk.run("invitation.create", draft);
  }

  /// Adds an administrator to those of the host.
  private Outcome<?> administrator(String address) {
    String whole = address.contains("@") ? address : address + "@" + state.host();
    Map<String, @Nullable Object> present =
        desk.data("administrator.list", Map.of("host", state.host()));
    List<String> all = new ArrayList<>();
    if (present != null && present.get("administrators") instanceof List<?> found) {
      found.forEach(each -> all.add(Objects.toString(each)));
    }
    if (!all.contains(whole)) {
      all.add(whole);
    }
    Outcome<?> known = desk.run("account.show", Map.of("account", whole));
    return known instanceof Outcome.Done<?>
        ? desk.run("administrator.set", Map.of("host", state.host(), "administrators", all))
        : known;
  }

  /// The step at which the form was.
  StartStep step() {
    return switch (form.get(StartForms.ACTION)) {
      case StartForms.DOMAIN -> StartStep.DOMAIN;
      case StartForms.NETWORK -> StartStep.NETWORK;
      case StartForms.ACME, StartForms.FILES, StartForms.RETRY -> StartStep.CERTIFICATE;
      case StartForms.INVITE, StartForms.ADMIN -> StartStep.PEOPLE;
      default -> StartStep.of(form.get(StartStep.PARAMETER), StartStep.NETWORK);
    };
  }
}
