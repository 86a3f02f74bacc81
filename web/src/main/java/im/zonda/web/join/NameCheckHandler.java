package im.zonda.web.join;

import im.zonda.directory.SignUp.NameCheck;
import im.zonda.http.HttpHandler;
import im.zonda.http.HttpRequest;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormData;
import im.zonda.web.page.Page;
import im.zonda.web.page.Site;
import java.io.IOException;

/// Says to the script of the form whether a name is free: 200 with a sentence if it is, 422 with a
/// sentence if it cannot be had, and 204 if that is not said.
///
/// It reveals who has an account only to those who could create one at once, by an open host or an
/// invitation that has not been used, and to each network for a limited number of names
/// ([im.zonda.directory.SignUp#checkName]).
///
/// @param site what all pages share
public record NameCheckHandler(Site site) implements HttpHandler {
  /// The path of the requests.
  public static final String PATH = "/web/join/name";

  @Override
  public HttpResponse handle(HttpRequest request) throws IOException {
    FormData form = FormData.read(request);
    String name = SignUpForm.name(form);
    String token = form.get("token");
    Page page = site.page(request);
    HttpResponse response =
        switch (site.signUp()
            .checkName(token.isEmpty() ? null : token, name, request.remoteAddress())) {
          case NameCheck.Free _ ->
              HttpResponse.text(200, page.text("form.free", name + "@" + site.domain()));
          case NameCheck.Unfit(var reason) ->
              HttpResponse.text(422, SignUpForm.text(page, site, reason, name));
          case NameCheck.Unknown _ -> HttpResponse.empty(204);
        };
    return response.with("Cache-Control", "no-store");
  }
}
