package im.zonda.module.hostmeta;

import im.zonda.config.Services.HostMeta;
import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;
import java.net.IDN;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Serves the addresses for browsers as `/.well-known/host-meta` and `host-meta.json` (RFC 6415).
/// Only encrypted ones are listed, as XEP-0156 demands. Where the settings name the addresses of
/// the host, the file in JSON lists every way to connect and takes the place of DNS records
/// (XEP-0487).
@Xep(
    number = 156,
    version = "1.4.0",
    title = "Discovering Alternative XMPP Connection Methods",
    note = "By HTTP, as XRD and JRD")
@Xep(
    number = 487,
    version = "0.1.0",
    title = "Host Meta 2 - One Method To Rule Them All",
    note =
        "The server's own file, off until `services.host-meta` names addresses; files of others are"
            + " not read. Without pinned keys and ECH")
public final class HostMetaModule implements XmppModule {
  private static final String XRD = "http://docs.oasis-open.org/ns/xri/xrd-1.0";

  private static final String CONNECTIONS = "urn:xmpp:alt-connections:";

  /// The priority of the links (RFC 2782), the lowest first, and their weight: there is one of
  /// each.
  private static final int TLS = 10;

  private static final int WEB = 20;
  private static final int WEIGHT = 0;

  /// A way to connect.
  private record Link(String rel, String href) {}

  @Override
  public String name() {
    return "hostmeta";
  }

  @Override
  public void install(ModuleContext context) {
    context.onHttp(
        HttpRoute.exact(
                "/.well-known/host-meta",
                HttpMethod.GET,
                request -> HttpResponse.bytes(200, "application/xrd+xml", xrd(links(context))))
            .crossOrigin());
    context.onHttp(
        HttpRoute.exact(
                "/.well-known/host-meta.json",
                HttpMethod.GET,
                request -> HttpResponse.bytes(200, "application/json", jrd(context)))
            .crossOrigin());
  }

  private static List<Link> links(ModuleContext context) {
    String url = context.config().http().url(IDN.toASCII(context.domain().domain()));
    List<Link> links = new ArrayList<>();
    if (url.startsWith("https://")) {
      String host = url.substring("https://".length());
      links.add(new Link(CONNECTIONS + "websocket", "wss://" + host + "/xmpp-websocket"));
      if (context.config().http().bosh()) {
        links.add(new Link(CONNECTIONS + "xbosh", url + "/http-bind"));
      }
    }
    return links;
  }

  private static byte[] xrd(List<Link> links) {
    Element.Builder document = Element.builder(XRD, "XRD");
    for (Link link : links) {
      document.child(
          Element.builder(XRD, "Link")
              .attribute("rel", link.rel())
              .attribute("href", link.href())
              .build());
    }
    return ("<?xml version='1.0' encoding='utf-8'?>\n" + XmlWriter.toString(document.build()))
        .getBytes(StandardCharsets.UTF_8);
  }

  /// The file in JSON. Neither domains nor paths nor addresses have characters that it escapes.
  private static byte[] jrd(ModuleContext context) {
    HostMeta settings = context.config().services().hostMeta();
    String domain = IDN.toASCII(context.domain().domain());
    List<String> links = new ArrayList<>();
    for (Link link : links(context)) {
      String where = "\"href\":\"" + link.href() + "\"";
      String name = URI.create(link.href()).getHost();
      links.add(json(link.rel(), where, settings, WEB, name == null ? domain : name));
    }
    if (settings.isOn()) {
      addPort(links, "tls", settings.tlsPort(), settings, domain);
      addPort(links, "s2s-tls", settings.serverTlsPort(), settings, domain);
    }
    String all = "\"links\":[" + String.join(",", links) + "]}";
    String begin =
        settings.isOn() ? "{\"xmpp\":{\"ttl\":" + settings.ttl().toSeconds() + "}," : "{";
    return (begin + all).getBytes(StandardCharsets.UTF_8);
  }

  /// Adds a way to connect with direct TLS (XEP-0368), if there is a port.
  private static void addPort(
      List<String> links, String kind, int port, HostMeta settings, String domain) {
    if (port > 0) {
      links.add(json(CONNECTIONS + kind, "\"port\":" + port, settings, TLS, domain));
    }
  }

  /// One link, with what XEP-0487 adds where it is used.
  ///
  /// @param where the URL or the port
  /// @param name the name to send in the TLS handshake
  private static String json(
      String rel, String where, HostMeta settings, int priority, String name) {
    String link = "{\"rel\":\"" + rel + "\"," + where;
    if (settings.isOn()) {
      String ips =
          settings.addresses().stream()
              .map(each -> "\"" + each + "\"")
              .collect(Collectors.joining(","));
      link += ",\"ips\":[" + ips + "],\"priority\":" + priority;
      link += ",\"weight\":" + WEIGHT + ",\"sni\":\"" + name + "\"";
    }
    return link + "}";
  }
}
