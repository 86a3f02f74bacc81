package im.zonda.web.account;

import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.web.page.Markup;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page that lists the clients with access to the account, and signs them out (XEP-0494).
///
/// @param parts what the host has
record DevicesPage(AccountPages.Parts parts) {
  private static final Logger LOG = LoggerFactory.getLogger(DevicesPage.class);
  private static final String NAMESPACE = "urn:xmpp:cam:0";
  private static final QName STILL_KNOWS = new QName(NAMESPACE, "password-reset-required");
  private static final QName ERROR = new QName("jabber:client", "error");

  /// A client.
  ///
  /// @param id its identifier
  /// @param connected whether it has a session
  /// @param software its name, or null
  /// @param device the name of the machine, or null
  /// @param seen the day when it logged in last (UTC); null if that is not known
  private record Device(
      String id,
      boolean connected,
      @Nullable String software,
      @Nullable String device,
      @Nullable LocalDate seen) {
    static Device of(Element client) {
      Element agent = client.child("user-agent");
      return new Device(
          String.valueOf(client.attribute("id")),
          "true".equals(client.attribute("connected")),
          text(agent, "software"),
          text(agent, "device"),
          day(text(client, "last-seen")));
    }

    private static @Nullable String text(@Nullable Element parent, String name) {
      Element child = parent == null ? null : parent.child(name);
      return child == null || child.text().isBlank() ? null : child.text();
    }

    private static @Nullable LocalDate day(@Nullable String time) {
      try {
        return time == null
            ? null
            : OffsetDateTime.parse(time).withOffsetSameInstant(ZoneOffset.UTC).toLocalDate();
      } catch (DateTimeException e) {
        return null;
      }
    }
  }

  /// The clients; null if they are not known.
  private @Nullable List<Device> devices(Visit visit) {
    Iq answer = parts.requests().ask(visit.account(), Iq.Type.GET, Element.of(NAMESPACE, "list"));
    Element clients = answer.payload();
    if (answer.type() != Iq.Type.RESULT || clients == null) {
      return null;
    }
    List<Device> devices = new ArrayList<>();
    clients.children().forEach(each -> devices.add(Device.of(each)));
    return devices;
  }

  /// Lists them.
  HttpResponse show(Visit visit) {
    List<Device> devices = devices(visit);
    Markup body =
        visit.begin("devices", devices == null ? visit.text("account.problem.unavailable") : null);
    if (devices == null) {
      return visit.response(503, "devices", body);
    }
    body.element(
        "p", visit.text(devices.isEmpty() ? "account.no-devices" : "account.devices.lead"));
    body.tag("\n<ul class=\"devices\">\n");
    for (Device each : devices) {
      add(visit, body, each);
    }
    body.tag("</ul>\n");
    return visit.response(200, "devices", body);
  }

  private static void add(Visit visit, Markup body, Device device) {
    String software = device.software;
    String name = software == null ? visit.text("account.device.unknown") : software;
    body.tag("<li>\n<div>\n<h2>").text(name).tag("</h2>\n");
    if (device.device != null) {
      body.tag("<p>").text(device.device).tag("</p>\n");
    }
    body.tag("<p class=\"hint\">");
    if (device.connected) {
      body.text(visit.text("account.device.connected"));
    } else if (device.seen != null) {
      DateTimeFormatter form =
          DateTimeFormatter.ofLocalizedDate(FormatStyle.LONG)
              .withLocale(Locale.of(visit.page().language().code()));
      body.text(visit.text("account.device.seen", form.format(device.seen)));
    }
    body.tag("</p>\n</div>\n");
    visit.form(body, "devices");
    body.tag("<input type=\"hidden\" name=\"id\"").attribute("value", device.id).tag(">\n");
    body.tag("<button class=\"second\"");
    body.attribute("aria-label", visit.text("account.device.sign-out.name", name)).tag(">");
    body.text(visit.text("account.sign-out")).tag("</button>\n</form>\n</li>\n");
  }

  /// Signs one out. An identifier of another account's client is not known at this account.
  HttpResponse submit(Visit visit, FormData form) {
    Element revoke =
        Element.builder(NAMESPACE, "revoke").attribute("id", clean(form.get("id"))).build();
    Iq answer = parts.requests().ask(visit.account(), Iq.Type.SET, revoke);
    Element error = answer.payload(ERROR);
    boolean stillKnows = error != null && error.child(STILL_KNOWS) != null;
    if (answer.type() == Iq.Type.RESULT || stillKnows) {
      LOG.atInfo()
          .addKeyValue("jid", visit.account())
          .addKeyValue("address", visit.request().remoteAddress().getHostAddress())
          .log("client_revoked_by_page");
      return Visit.done("devices", stillKnows ? "device-password" : "device");
    }
    if (ProfilePage.has(answer, ErrorCondition.ITEM_NOT_FOUND)
        || ProfilePage.has(answer, ErrorCondition.BAD_REQUEST)) {
      return Visit.done("devices", "device-gone");
    }
    Markup body = visit.begin("devices", visit.text("account.problem.unavailable"));
    return visit.response(503, "devices", body);
  }

  /// No identifier has other characters.
  private static String clean(String id) {
    return id.length() > 2_048 ? "" : id.replaceAll("[^\\x20-\\uD7FF\\uE000-\\uFFFD]", "");
  }
}
