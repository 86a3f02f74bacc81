package im.zonda.console.login;

import im.zonda.console.factor.Factors;
import im.zonda.console.factor.Passkey;
import im.zonda.console.factor.PasskeyAnswer;
import im.zonda.console.factor.PasskeyKey;
import im.zonda.console.view.FactorsView;
import im.zonda.console.view.Frame;
import im.zonda.console.view.QrCode;
import im.zonda.console.view.Templates;
import im.zonda.console.view.Values;
import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.http.page.FormToken;
import im.zonda.jid.Jid;
import im.zonda.operation.AuditTrail;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The page on which administrators set up their own second factors, and remove them with a code.
/// Each change is in the audit and ends the other sessions of the account.
///
/// @param templates the templates
/// @param frame what surrounds the content of all pages
public record SecurityPage(
    Protection protection, Templates templates, Function<Visit, Frame> frame) {
  /// The address.
  public static final String PATH = SignInPages.FOLDER + "security";

  /// Where forms of the page are sent.
  public static final String FOLDER = PATH + "/";

  private static final String MISSING = "There is nothing here";
  private static final int MOST_LABEL = 64;

  /// What one reader's page shows besides what the account has.
  private record Shown(
      String problem, FactorsView.@Nullable Enrolment enrolment, List<String> fresh) {
    private static Shown problem(String text) {
      return new Shown(text, null, List.of());
    }
  }

  /// Shows the page.
  public HttpResponse show(Visit visit) {
    return page(visit, Shown.problem(""));
  }

  private HttpResponse page(Visit visit, Shown shown) {
    Jid account = visit.account();
    Factors.State state =
        account == null ? new Factors.State(null, List.of(), 0) : protection.factors().of(account);
    FactorsView view =
        new FactorsView(
            account == null ? "" : account.toString(),
            shown.problem(),
            protection.required() && account != null && !state.any(),
            state.codes() == null ? "" : values(visit).time(state.codes()).text(),
            state.any() ? Integer.toString(state.recoveryCodes()) : "",
            state.passkeys().stream().map(each -> key(visit, each)).toList(),
            shown.enrolment(),
            shown.fresh(),
            account == null ? null : offer(visit, account, state));
    return templates.page(
        shown.problem().isEmpty() ? 200 : 422,
        "security",
        frame.apply(visit),
        Map.of("view", view));
  }

  private Values values(Visit visit) {
    return new Values(visit.language(), protection.clock().instant());
  }

  private FactorsView.Key key(Visit visit, Passkey passkey) {
    return new FactorsView.Key(
        passkey.id(),
        passkey.label(),
        passkey.site(),
        values(visit).time(passkey.created()).text(),
        passkey.used() == null ? "" : values(visit).time(passkey.used()).text());
  }

  private FactorsView.@Nullable Offer offer(Visit visit, Jid account, Factors.State state) {
    String site = Protection.site(visit.request());
    return site == null
        ? null
        : new FactorsView.Offer(
            protection.challenges().create(visit.cookie()),
            site,
            protection.factors().handle(account),
            state.passkeys().stream().map(Passkey::id).collect(Collectors.joining(",")));
  }

  /// Does what a form of the page asks for.
  public HttpResponse submit(Visit visit, String action) throws IOException {
    FormData form = FormData.read(visit.request());
    FormToken.check(form, visit.formToken());
    Jid account = visit.account();
    if (account == null) {
      throw new HttpException(404, MISSING);
    }
    return switch (action) {
      case "begin" -> begin(visit, account, form);
      case "confirm" -> confirm(visit, account, form);
      case "end" -> ended(visit, account, form);
      case "recovery" -> recovery(visit, account, form);
      case "passkey" -> register(visit, account, form);
      case "remove" -> remove(visit, account, form);
      default -> throw new HttpException(404, MISSING);
    };
  }

  private HttpResponse begin(Visit visit, Jid account, FormData form) {
    HttpResponse refused = unproved(visit, account, form);
    return refused == null
        ? page(
            visit,
            new Shown("", enrolment(account, protection.factors().newSecret(account)), List.of()))
        : refused;
  }

  private FactorsView.@Nullable Enrolment enrolment(Jid account, String sealed) {
    String secret = protection.factors().shown(account, sealed);
    if (secret == null) {
      return null;
    }
    String name = URLEncoder.encode(account.toString(), StandardCharsets.UTF_8).replace("+", "%20");
    String link = "otpauth://totp/Zonda:" + name + "?secret=" + secret + "&issuer=Zonda";
    return new FactorsView.Enrolment(
        secret.replaceAll("(.{4})(?!$)", "$1 "), link, sealed, QrCode.of(link));
  }

  private HttpResponse confirm(Visit visit, Jid account, FormData form) {
    String sealed = form.get("enrolment");
    boolean first = !protection.factors().of(account).any();
    return switch (protection.factors().begin(account, sealed, form.get("code"))) {
      case RIGHT -> changed(visit, account, "one-time codes begun", first);
      case WRONG ->
          page(
              visit,
              new Shown(
                  visit.language().text("second.problem.wrong"),
                  enrolment(account, sealed),
                  List.of()));
      case TOO_MANY -> page(visit, Shown.problem(visit.language().text("second.problem.too-many")));
    };
  }

  /// Notes a change, ends the other sessions, and shows the page, with new recovery codes if the
  /// account has got its first factor.
  private HttpResponse changed(Visit visit, Jid account, String what, boolean withCodes) {
    List<String> fresh = withCodes ? protection.factors().newRecoveryCodes(account) : List.of();
    protection
        .audit()
        .write(
            new AuditTrail.Entry(
                protection.clock().instant(),
                visit.caller(),
                "admin.own-factors",
                account.domain(),
                account.toString(),
                "done",
                "{\"changed\":\"" + what + "\"}"));
    protection.sessions().endOthers(account.toString(), visit.session());
    return page(visit, new Shown("", null, fresh));
  }

  /// Demands a proof of the present second factor before another one is added; null if none is due.
  private @Nullable HttpResponse unproved(Visit visit, Jid account, FormData form) {
    return protection.factors().of(account).any() ? refused(visit, account, form) : null;
  }

  /// The page that says why a code does not do; null if it does.
  private @Nullable HttpResponse refused(Visit visit, Jid account, FormData form) {
    return switch (protection.factors().prove(account, form.get("code"))) {
      case RIGHT -> null;
      case WRONG -> page(visit, Shown.problem(visit.language().text("second.problem.wrong")));
      case TOO_MANY -> page(visit, Shown.problem(visit.language().text("second.problem.too-many")));
    };
  }

  private HttpResponse ended(Visit visit, Jid account, FormData form) {
    HttpResponse refused = refused(visit, account, form);
    if (refused != null) {
      return refused;
    }
    protection.factors().endCodes(account);
    return changed(visit, account, "one-time codes ended", false);
  }

  private HttpResponse recovery(Visit visit, Jid account, FormData form) {
    HttpResponse refused = refused(visit, account, form);
    return refused == null ? changed(visit, account, "recovery codes made", true) : refused;
  }

  private HttpResponse register(Visit visit, Jid account, FormData form) {
    PasskeyAnswer.Question question = Protection.question(visit.request(), form);
    PasskeyAnswer answer = Protection.answer(form);
    String label = form.get("label").strip().replaceAll("\\p{Cntrl}", " ");
    if (question == null || answer == null || label.isEmpty() || label.length() > MOST_LABEL) {
      return page(visit, Shown.problem(visit.language().text("security.problem.passkey")));
    }
    PasskeyKey key = answer.registers(question);
    boolean first = !protection.factors().of(account).any();
    HttpResponse refused = key == null ? null : unproved(visit, account, form);
    if (refused != null) {
      return refused;
    }
    boolean added =
        key != null
            && protection.challenges().take(question.challenge(), visit.cookie())
            && protection.factors().add(account, answer.id(), key, question.site(), label);
    return added
        ? changed(visit, account, "passkey registered", first)
        : page(visit, Shown.problem(visit.language().text("security.problem.passkey")));
  }

  /// With a code, which a hijacker of the session does not have.
  private HttpResponse remove(Visit visit, Jid account, FormData form) {
    HttpResponse refused = refused(visit, account, form);
    if (refused != null) {
      return refused;
    }
    return protection.factors().remove(account, form.get("passkey"))
        ? changed(visit, account, "passkey removed", false)
        : page(visit, Shown.problem(visit.language().text("security.problem.passkey")));
  }
}
