package im.zonda.web.account;

import im.zonda.http.HttpContent;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.jid.Jid;
import im.zonda.store.StoreException;
import im.zonda.web.page.Markup;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The page from which people download what the server keeps of their account. The document is
/// written as it is read, one for an account and a few for all at a time.
final class ExportPage {
  /// The most documents that are written at a time.
  static final int MOST = 4;

  private static final Logger LOG = LoggerFactory.getLogger(ExportPage.class);

  private final AccountPages.Parts parts;

  // Guarded by its monitor.
  private final Set<Jid> running = new HashSet<>();

  ExportPage(AccountPages.Parts parts) {
    this.parts = parts;
  }

  /// Says what is in the document.
  HttpResponse show(Visit visit, @Nullable String problem) {
    boolean on = parts.export().isOn();
    String said = on ? problem : visit.text("account.problem.unavailable");
    Markup body = visit.begin("export", said);
    if (on) {
      body.element("p", visit.text("account.export.lead")).tag("\n");
      body.element("p", visit.text("account.export.without")).tag("\n");
      visit.form(body, "export");
      body.tag("<button>").text(visit.text("account.export.download"));
      body.tag("</button>\n</form>\n");
    }
    return visit.response(said == null ? 200 : 503, "export", body);
  }

  /// Sends the document.
  HttpResponse submit(Visit visit, FormData form) {
    Jid account = visit.account();
    if (!parts.export().isOn() || !mayBegin(account)) {
      return show(visit, visit.text("account.problem.exports"));
    }
    return Visit.unstored(
            HttpResponse.stream(200, "application/xml", -1, output -> write(account, output)))
        .with("Content-Disposition", disposition(account));
  }

  private boolean mayBegin(Jid account) {
    synchronized (running) {
      return running.size() < MOST && !running.contains(account);
    }
  }

  private void write(Jid account, HttpContent.Output output) throws IOException {
    synchronized (running) {
      if (!mayBegin(account)) {
        throw new IOException("too many exports at a time");
      }
      running.add(account);
    }
    try {
      parts.export().write(account, output::write);
      LOG.atInfo().addKeyValue("jid", account).log("account_exported");
    } catch (StoreException e) {
      throw new IOException("the account cannot be read", e);
    } finally {
      synchronized (running) {
        running.remove(account);
      }
    }
  }

  /// An attachment (RFC 6266) with a name that file systems accept.
  static String disposition(Jid account) {
    String name = account + ".xml";
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean safe =
          (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '@';
      plain.append(safe ? c : '_');
    }
    String encoded =
        URLEncoder.encode(name.replaceAll("[\\p{Cntrl}/\\\\]", "_"), StandardCharsets.UTF_8)
            .replace("+", "%20")
            .replace("*", "%2A");
    return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded;
  }
}
