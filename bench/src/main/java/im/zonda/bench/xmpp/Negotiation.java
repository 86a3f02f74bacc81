package im.zonda.bench.xmpp;

import java.net.ProtocolException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;

/// The steps from a connection to a session (RFC 6120, sections 5 to 7), on the client's loop.
final class Negotiation {
  private static final String SASL = " xmlns='urn:ietf:params:xml:ns:xmpp-sasl'";
  private static final String TLS = "<starttls xmlns='urn:ietf:params:xml:ns:xmpp-tls'/>";
  private static final String MANAGEMENT = " xmlns='urn:xmpp:sm:3'";

  private final XmppClient client;
  private final ScramKeys keys;

  Negotiation(XmppClient client, ScramKeys keys) {
    this.client = client;
    this.keys = keys;
  }

  /// Logs in.
  CompletableFuture<Void> login(Login login) {
    Login.Inline inline = login.inline();
    if (inline != null) {
      return client
          .openStream()
          .thenCompose(this::secure)
          .thenCompose(features -> new InlineLogin(client, keys, login, inline).run(features));
    }
    return client
        .openStream()
        .thenCompose(this::secure)
        .thenCompose(features -> authenticate(features, login))
        .thenCompose(_ -> client.openStream())
        .thenCompose(_ -> login.resumed() == null ? bind(login) : resume(login));
  }

  /// Registers an account instead.
  CompletableFuture<Void> register(Login login) {
    String query =
        "<iq type='set' id='register'><query xmlns='jabber:iq:register'><username>%s</username><password>%s</password></query></iq>"
            .formatted(login.user(), login.password());
    return client
        .openStream()
        .thenCompose(this::secure)
        .thenCompose(_ -> client.ask(query))
        .thenAccept(answer -> {
          if (!answer.contains("<conflict")) {
            expect(answer, "<iq", "result");
          }
        });
  }

  private CompletableFuture<String> secure(String features) {
    expect(features, "<stream:features", "");
    if (client.endpoint().security() != Endpoint.Security.STARTTLS
        || client.endpoint().transport() != Endpoint.Transport.TCP) {
      return CompletableFuture.completedFuture(features);
    }
    return client
        .ask(TLS)
        .thenCompose(answer -> {
          expect(answer, "<proceed", "");
          return client.startTls();
        })
        .thenCompose(_ -> client.openStream());
  }

  private CompletableFuture<Void> authenticate(String features, Login login) {
    String word = login.mechanism().word();
    if (!features.contains(">" + word + "<")) {
      throw refused("the server does not offer " + word + ": " + features);
    }
    if (login.mechanism() == Login.Mechanism.PLAIN) {
      String text = "\0" + login.user() + "\0" + login.password();
      return client.ask(auth(word, text)).thenAccept(answer -> expect(answer, "<success", ""));
    }
    ScramLogin scram = scram(login, keys);
    return client
        .ask(auth(word, scram.first()))
        .thenCompose(answer -> {
          expect(answer, "<challenge", "");
          return scram.last(ScramLogin.decode(Markup.text(answer, "challenge")));
        })
        .thenComposeAsync(
            last -> client.ask("<response" + SASL + ">" + ScramLogin.encode(last) + "</response>"),
            client.loop()::execute)
        .thenAccept(answer -> {
          expect(answer, "<success", "");
          if (!scram.isRight(ScramLogin.decode(Markup.text(answer, "success")))) {
            throw refused("the server does not know the password");
          }
        });
  }

  static ScramLogin scram(Login login, ScramKeys keys) {
    return new ScramLogin(
        login.mechanism().word().substring("SCRAM-".length()),
        login.user(),
        login.password(),
        Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36)
            + Long.toString(ThreadLocalRandom.current().nextLong(Long.MAX_VALUE), 36),
        keys);
  }

  private static String auth(String word, String text) {
    return "<auth" + SASL + " mechanism='" + word + "'>" + ScramLogin.encode(text) + "</auth>";
  }

  private CompletableFuture<Void> bind(Login login) {
    String request =
        "<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'><resource>%s</resource></bind></iq>"
            .formatted(login.resource());
    return client
        .ask(request)
        .thenCompose(answer -> {
          expect(answer, "<iq", "</jid>");
          String address = Markup.text(answer, "jid");
          if (!login.management()) {
            begin(login, address, "", 0);
            return CompletableFuture.<Void>completedFuture(null);
          }
          return client
              .ask("<enable" + MANAGEMENT + " resume='true'/>")
              .thenAccept(enabled -> {
                expect(enabled, "<enabled", "");
                String id = Markup.attribute(enabled, "id");
                begin(login, address, Objects.requireNonNullElse(id, ""), 0);
              });
        });
  }

  private CompletableFuture<Void> resume(Login login) {
    Login.Resumption session = Objects.requireNonNull(login.resumed());
    return client
        .ask(
            "<resume%s previd='%s' h='%d'/>".formatted(MANAGEMENT, session.id(), session.handled()))
        .thenAccept(answer -> {
          expect(answer, "<resumed", "");
          begin(login, "", session.id(), session.handled());
        });
  }

  private void begin(Login login, String address, String resumption, long handled) {
    client.begin(address, resumption, login.management(), handled);
    if (login.presence()) {
      client.send("<presence/>");
    }
  }

  static void expect(String answer, String begin, String content) {
    if (!answer.startsWith(begin) || !answer.contains(content)) {
      throw refused("the server refuses: " + answer.substring(0, Math.min(300, answer.length())));
    }
  }

  static CompletionException refused(String sentence) {
    return new CompletionException(new ProtocolException(sentence));
  }
}
