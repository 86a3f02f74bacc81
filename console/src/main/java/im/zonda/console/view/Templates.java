package im.zonda.console.view;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import im.zonda.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// The pages as they were compiled with this program. Any thread may call.
public final class Templates {
  private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

  /// A page.
  ///
  /// @param template the name of its template without the ending
  /// @param parameters what the template needs besides the frame
  public HttpResponse page(int status, String template, Frame frame, Map<String, ?> parameters) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    all.put("frame", frame);
    SafeOutput output = new SafeOutput();
    engine.render(template + ".jte", all, output);
    return HttpResponse.bytes(
        status, "text/html; charset=utf-8", output.toString().getBytes(StandardCharsets.UTF_8));
  }
}
