package im.zonda.console.guide;

import im.zonda.console.page.Desk;
import im.zonda.console.page.Places;
import im.zonda.console.view.Form;
import im.zonda.console.view.FormField;
import im.zonda.console.view.FormField.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The forms of the first steps.
///
/// @param desk who fills them in
/// @param state what is known of the server
/// @param given what was entered before, by the names of the fields
/// @param failed the action that was refused; empty if none was
/// @param problem why it was refused
record StartForms(
    Desk desk, StartState state, Map<String, String> given, String failed, String problem) {
  /// The hidden field that says what a form does.
  static final String ACTION = "action";

  /// The hidden field that says which host a form is about.
  static final String HOST = "host";

  static final String DOMAIN = "domain";
  static final String NETWORK = "network";
  static final String ACME = "acme";
  static final String FILES = "files";
  static final String RETRY = "retry";
  static final String RESTART = "restart";
  static final String INVITE = "invite";
  static final String ADMIN = "admin";

  private static final String LETS_ENCRYPT = "https://acme-v02.api.letsencrypt.org/directory";
  private static final String HTTP = "http.listen";

  /// The keys of the form of addresses.
  static final List<String> LISTENING =
      List.of("c2s.listen", "c2s.listen-tls", "s2s.listen", HTTP, "http.listen-tls");

  /// Those of a step.
  List<StepForm> of(StartStep step) {
    List<StepForm> forms = new ArrayList<>();
    switch (step) {
      case DOMAIN -> add(forms, "host.add", DOMAIN, field(DOMAIN, Kind.TEXT, "", true));
      case NETWORK -> network(forms);
      case CERTIFICATE -> certificate(forms);
      case PEOPLE -> people(forms);
      case DNS -> {}
      case REACH -> reach(forms);
    }
    return forms;
  }

  /// The form that starts the server again, if something waits for that.
  List<StepForm> restart() {
    List<StepForm> forms = new ArrayList<>();
    if (!state.waiting().isEmpty()) {
      add(forms, "server.restart", RESTART);
    }
    return forms;
  }

  private void network(List<StepForm> forms) {
    List<FormField> fields = new ArrayList<>();
    for (String key : LISTENING) {
      fields.add(field(key, Kind.LINES, String.join("\n", suggested(key)), false));
    }
    fields.add(
        field(
            "s2s.enabled",
            Kind.FLAG,
            state.isLocal() ? state.setting("s2s.enabled") : "true",
            false));
    add(forms, "config.set", NETWORK, fields.toArray(FormField[]::new));
  }

  /// Addresses that other machines reach, at the ports that are in use. The pages without TLS stay
  /// where the console is.
  private List<String> suggested(String key) {
    List<String> present = state.elements(key);
    if (present.stream().anyMatch(each -> !StartState.isLoopback(each))) {
      return present;
    }
    if (key.equals(HTTP)) {
      List<String> all = new ArrayList<>(present);
      all.add("0.0.0.0:80");
      return all;
    }
    Map<String, Boolean> ports = new LinkedHashMap<>();
    present.forEach(each -> ports.put(each.substring(each.lastIndexOf(':') + 1), true));
    return ports.keySet().stream().map(port -> "0.0.0.0:" + port).toList();
  }

  private void certificate(List<StepForm> forms) {
    if (state.isLocal()) {
      return;
    }
    String how = String.valueOf(state.certificate().get("state"));
    if (how.equals("failed") || how.equals("waiting")) {
      add(forms, "certificate.retry", RETRY);
    }
    if (!how.equals("files")) {
      String directory = state.setting("acme.directory");
      add(
          forms,
          "config.set",
          ACME,
          field("directory", Kind.TEXT, directory.isEmpty() ? LETS_ENCRYPT : directory, true),
          field("email", Kind.TEXT, state.setting("acme.email"), false),
          choice("challenge", state.setting("acme.challenge"), "http-01", "tls-alpn-01"),
          field("services", Kind.FLAG, state.setting("acme.services"), false),
          field("terms", Kind.FLAG, state.setting("acme.terms-agreed"), false));
    }
    add(
        forms,
        "config.set",
        FILES,
        field("certificate", Kind.TEXT, state.setting("tls.certificate"), true),
        field("key", Kind.TEXT, state.setting("tls.key"), true));
  }

  private void people(List<StepForm> forms) {
    add(forms, "invitation.create", INVITE, field("username", Kind.TEXT, "", false));
    add(forms, "administrator.set", ADMIN, field("administrator", Kind.TEXT, "", true));
  }

  /// The other direction is a job, whose page has the result.
  private void reach(List<StepForm> forms) {
    if (state.isLocal() || !desk.may("link.check")) {
      return;
    }
    forms.add(
        new StepForm(
            desk.text("start.link.title"),
            desk.text("start.link.about"),
            new Form(
                Places.DO + "link.check",
                true,
                List.of(field("domain", Kind.TEXT, "", true)),
                List.of(
                    new Form.Hidden("from", state.host()),
                    new Form.Hidden("back", StartStep.REACH.url())),
                desk.text("start.link.submit"),
                "",
                "")));
  }

  /// Adds a form, unless the visitor may not run its operation.
  private void add(List<StepForm> forms, String operation, String action, FormField... fields) {
    if (!desk.may(operation)) {
      return;
    }
    forms.add(
        new StepForm(
            desk.text("start." + action + ".title"),
            desk.text("start." + action + ".about"),
            new Form(
                Places.START,
                true,
                List.of(fields),
                List.of(
                    new Form.Hidden(ACTION, action),
                    new Form.Hidden(HOST, state.host()),
                    new Form.Hidden(StartStep.PARAMETER, desk.query(StartStep.PARAMETER))),
                desk.text("start." + action + ".submit"),
                "",
                action.equals(failed) ? problem : "")));
  }

  private FormField field(String name, Kind kind, String value, boolean required) {
    boolean known = given.containsKey(name) || (kind == Kind.FLAG && !failed.isEmpty());
    return new FormField(
        name,
        desk.text("start.field." + name),
        desk.text("start.field." + name + ".about"),
        kind,
        known ? given.getOrDefault(name, "") : value,
        List.of(),
        required,
        false);
  }

  private FormField choice(String name, String value, String... options) {
    FormField field = field(name, Kind.CHOICE, value, true);
    return new FormField(
        name,
        field.label(),
        field.about(),
        Kind.CHOICE,
        field.value(),
        FormField.Option.of(List.of(options)),
        true,
        false);
  }
}
