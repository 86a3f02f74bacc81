package im.zonda.web.account;

import im.zonda.account.AccountRegistration;
import im.zonda.account.PasswordProblem;
import im.zonda.directory.AccountExport;
import im.zonda.jid.Jid;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.StanzaError;
import im.zonda.store.ValueKey;
import im.zonda.web.login.KnownPasswords;
import im.zonda.web.login.LoginSessions;
import im.zonda.web.login.MemoryValues;
import im.zonda.web.login.SignIn;
import im.zonda.web.page.Look;
import im.zonda.web.page.Site;
import im.zonda.web.page.WebTexts;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The host `example.org` with the accounts alice and bob, whose password is `secret`.
final class AccountStage {
  static final Jid ALICE = Jid.of("alice@example.org");
  static final Jid BOB = Jid.of("bob@example.org");
  static final String CLIENTS = "urn:xmpp:cam:0";

  final KnownPasswords passwords = new KnownPasswords();
  final MemoryValues values = new MemoryValues();
  final Accounts accounts = new Accounts();
  final List<Jid> forgotten = new ArrayList<>();

  /// The vCards by account.
  final Map<Jid, Element> vcards = new HashMap<>();

  /// The ids of clients by account, with what the entry of each says.
  final Map<Jid, Map<String, Element>> clients = new HashMap<>();

  /// What all requests to homes are refused with; null if they are answered.
  @Nullable ErrorCondition refusal;

  /// What is exported.
  final Export export = new Export();

  Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final AtomicLong ids = new AtomicLong();
  final AccountPages pages;

  AccountStage() {
    this(true);
  }

  /// @param changeable whether users change their own accounts
  AccountStage(boolean changeable) {
    passwords.passwords.put(ALICE, "secret");
    passwords.passwords.put(BOB, "secret");
    Site site =
        new Site(
            "example.org",
            Look.read("Our place", "#0d3b52", null),
            WebTexts.read(),
            true,
            new ClosedSignUp());
    pages =
        new AccountPages(
            site,
            new AccountPages.Parts(
                Jid.of("example.org"),
                new SignIn(passwords, Jid.of("example.org")),
                new LoginSessions(values, passwords, () -> now, () -> "id" + ids.incrementAndGet()),
                accounts,
                forgotten::add,
                this::ask,
                export,
                () -> "form" + ids.incrementAndGet(),
                () -> 20_480,
                changeable));
  }

  Browser browser() {
    return new Browser(pages.routes());
  }

  /// A browser in which that account has signed in.
  Browser signedIn(Jid account) {
    Browser browser = browser();
    browser.get("/account");
    browser.post("/account/sign-in", "name=" + account.local() + "&password=secret");
    browser.get("/account");
    return browser;
  }

  private Iq ask(Jid account, Iq.Type type, Element payload) {
    Iq request = Iq.of(type, account, account, "q", payload);
    if (refusal != null) {
      return Iq.error(request, StanzaError.of(refusal));
    }
    return switch (payload.name().name()) {
      case "vCard" -> vcard(request, payload);
      case "list" -> {
        Element.Builder list = Element.builder(CLIENTS, "clients");
        clients.getOrDefault(account, Map.of()).values().forEach(list::child);
        yield Iq.result(request, list.build());
      }
      case "revoke" ->
          clients.getOrDefault(account, new HashMap<>()).remove(payload.attribute("id")) == null
              ? Iq.error(request, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND))
              : Iq.error(
                  request,
                  StanzaError.of(ErrorCondition.SERVICE_UNAVAILABLE)
                      .withDetail(Element.of(CLIENTS, "password-reset-required")));
      default -> throw new IllegalArgumentException(payload.toString());
    };
  }

  private Iq vcard(Iq request, Element payload) {
    Jid account = java.util.Objects.requireNonNull(request.to());
    if (request.type() == Iq.Type.GET) {
      Element vcard = vcards.get(account);
      return vcard == null
          ? Iq.error(request, StanzaError.of(ErrorCondition.ITEM_NOT_FOUND))
          : Iq.result(request, vcard);
    }
    vcards.put(account, payload);
    return Iq.result(request, null);
  }

  static Element client(String id, String software, String device) {
    return Element.builder(CLIENTS, "client")
        .attribute("id", id)
        .attribute("connected", "false")
        .child("last-seen", "2026-11-27T23:30:00Z")
        .child(
            Element.builder(new QName(CLIENTS, "user-agent"))
                .child("software", software)
                .child("device", device)
                .build())
        .build();
  }

  /// Writes a text as often as a test says.
  static final class Export implements AccountExport {
    boolean on = true;
    @Nullable Runnable during;
    int parts = 1;

    @Override
    public boolean isOn() {
      return on;
    }

    @Override
    public void write(Jid account, Sink sink) throws IOException {
      byte[] part = ("<data of='" + account + "'/>").getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < parts; i++) {
        sink.write(part, 0, part.length);
        if (during != null) {
          during.run();
        }
      }
    }
  }

  /// Changes the passwords of the stage.
  final class Accounts implements AccountRegistration {
    final List<Jid> removed = new ArrayList<>();

    @Override
    public Result create(Jid account, String password) {
      throw new UnsupportedOperationException("these pages create no accounts");
    }

    @Override
    public Result create(Jid account, String password, ValueKey permission) {
      throw new UnsupportedOperationException("these pages create no accounts");
    }

    @Override
    public Result add(Jid account, String password) {
      throw new UnsupportedOperationException("these pages create no accounts");
    }

    @Override
    public boolean isAdministrator(Jid account) {
      return false;
    }

    @Override
    public Result changePassword(Jid account, String password) {
      if (password.length() < 4) {
        return new Result.InvalidPassword(PasswordProblem.TOO_SHORT, "too short");
      }
      return passwords.passwords.replace(account, password) == null
          ? new Result.NoAccount()
          : new Result.Done();
    }

    @Override
    public Result setPassword(Jid account, String password) {
      throw new UnsupportedOperationException("people change only their own passwords");
    }

    @Override
    public Result remove(Jid account) {
      removed.add(account);
      return passwords.passwords.remove(account) == null
          ? new Result.NoAccount()
          : new Result.Done();
    }

    @Override
    public @Nullable Instant created(Jid account) {
      return passwords.passwords.containsKey(account) ? Instant.EPOCH : null;
    }

    @Override
    public long count(String domain) {
      return passwords.passwords.size();
    }
  }
}
