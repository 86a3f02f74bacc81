package im.zonda.module.hostmeta;

import im.zonda.http.HttpMethod;
import im.zonda.http.HttpResponse;
import im.zonda.http.HttpRoute;
import im.zonda.module.ModuleContext;
import im.zonda.module.Xep;
import im.zonda.module.XmppModule;
import im.zonda.xml.Element;
import im.zonda.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Serves the addresses for browsers as `/.well-known/host-meta` and `host-meta.json` (RFC 6415).
/// Only encrypted ones are listed, as XEP-0156 demands.
@Xep(
    number = 156,
    version = "1.4.0",
    title = "Discovering Alternative XMPP Connection Methods",
    note = "By HTTP, as XRD and JRD")
public final class HostMetaModule implements XmppModule {
  private static final String XRD = "http://docs.oasis-open.org/ns/xri/xrd-1.0";

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
                request -> HttpResponse.bytes(200, "application/json", jrd(links(context))))
            .crossOrigin());
  }

  private static List<Link> links(ModuleContext context) {
    String url = context.config().http().url(context.domain().domain());
    List<Link> links = new ArrayList<>();
    if (url.startsWith("https://")) {
      String host = url.substring("https://".length());
      links.add(
          new Link("urn:xmpp:alt-connections:websocket", "wss://" + host + "/xmpp-websocket"));
      if (context.config().http().bosh()) {
        links.add(new Link("urn:xmpp:alt-connections:xbosh", url + "/http-bind"));
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

  /// Neither domains nor paths have characters that JSON escapes.
  private static byte[] jrd(List<Link> links) {
    String all =
        links.stream()
            .map(link -> "{\"rel\":\"" + link.rel() + "\",\"href\":\"" + link.href() + "\"}")
            .collect(Collectors.joining(","));
    return ("{\"links\":[" + all + "]}").getBytes(StandardCharsets.UTF_8);
  }
}
