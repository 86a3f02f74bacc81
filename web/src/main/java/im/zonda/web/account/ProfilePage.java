package im.zonda.web.account;

import im.zonda.http.HttpException;
import im.zonda.http.HttpResponse;
import im.zonda.http.page.FormToken;
import im.zonda.http.page.MultipartForm;
import im.zonda.stanza.ErrorCondition;
import im.zonda.stanza.Iq;
import im.zonda.stanza.Namespaces;
import im.zonda.web.page.Markup;
import im.zonda.xml.Element;
import im.zonda.xml.QName;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The page of the name and the picture, which are those of the vCard; the picture becomes the
/// avatar (XEP-0398).
///
/// @param parts what the host has
record ProfilePage(AccountPages.Parts parts) {
  private static final QName ERROR = new QName(Namespaces.CLIENT, "error");

  /// What a vCard may have besides the picture.
  private static final int REST_BYTES = 8_192;

  /// The most bytes of a picture, which takes a third more in a vCard.
  private int mostBytes() {
    return Math.max(1_024, (parts.vcardBytes().getAsInt() - REST_BYTES) / 4 * 3);
  }

  /// The profile; null if it cannot be read.
  private @Nullable Profile read(Visit visit) {
    Iq answer = parts.requests().ask(visit.account(), Iq.Type.GET, Element.of(Profile.VCARD));
    Element vcard = answer.payload();
    if (answer.type() == Iq.Type.RESULT && vcard != null && vcard.name().equals(Profile.VCARD)) {
      return new Profile(vcard);
    }
    return has(answer, ErrorCondition.ITEM_NOT_FOUND)
        ? new Profile(Element.of(Profile.VCARD))
        : null;
  }

  /// Whether an answer is that error.
  static boolean has(Iq answer, ErrorCondition condition) {
    Element error = answer.payload(ERROR);
    String name = condition.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return error != null && error.child(new QName(Namespaces.STANZA_ERRORS, name)) != null;
  }

  /// Shows the profile.
  HttpResponse show(Visit visit) {
    return show(visit, 200, null);
  }

  private HttpResponse show(Visit visit, int status, @Nullable String problem) {
    Profile profile = read(visit);
    String said = profile == null ? visit.text("account.problem.unavailable") : problem;
    Markup body = visit.begin("profile", said);
    if (profile == null) {
      return visit.response(503, "profile", body);
    }
    body.tag(
        "<form method=\"post\" action=\"/account/profile\" enctype=\"multipart/form-data\">\n");
    body.formToken(visit.session().formToken());
    body.tag("<label for=\"name\">").text(visit.text("account.name")).tag("</label>\n");
    body.tag("<input id=\"name\" name=\"name\" autocomplete=\"name\"");
    body.attribute("maxlength", Integer.toString(Profile.MOST_NAME));
    body.attribute("value", profile.name()).tag(" aria-describedby=\"name-hint\">\n");
    body.tag("<p class=\"hint\" id=\"name-hint\">").text(visit.text("account.name.hint"));
    body.tag("</p>\n<label for=\"picture\">").text(visit.text("account.picture"));
    body.tag("</label>\n");
    boolean shown = profile.picture() != null;
    if (shown) {
      body.tag("<img class=\"avatar\" src=\"/account/picture\" width=\"96\" height=\"96\"");
      body.attribute("alt", visit.text("account.picture.now")).tag(">\n");
    }
    body.tag("<input id=\"picture\" name=\"picture\" type=\"file\"");
    body.tag(" accept=\"image/png,image/jpeg,image/gif,image/webp\"");
    body.tag(" aria-describedby=\"picture-hint\">\n<p class=\"hint\" id=\"picture-hint\">");
    body.text(visit.text("account.picture.hint", Integer.toString(mostBytes() / 1_024)));
    body.tag("</p>\n");
    if (shown) {
      body.tag("<label class=\"check\"><input type=\"checkbox\" name=\"remove\" value=\"1\"> ");
      body.text(visit.text("account.picture.remove")).tag("</label>\n");
    }
    body.tag("<button>").text(visit.text("account.save")).tag("</button>\n</form>\n");
    return visit.response(status, "profile", body);
  }

  /// Takes the form.
  HttpResponse submit(Visit visit) throws IOException {
    MultipartForm form = MultipartForm.read(visit.request(), mostBytes());
    FormToken.check(form.data(), visit.session().formToken());
    String size = Integer.toString(mostBytes() / 1_024);
    byte[] file = form.file("picture");
    if (form.tooLarge() || (file != null && file.length > mostBytes())) {
      return show(visit, 422, visit.text("account.problem.picture-size", size));
    }
    Profile.Picture picture = file == null ? null : Profile.Picture.of(file);
    if (file != null && picture == null) {
      return show(visit, 422, visit.text("account.problem.picture-type"));
    }
    Profile before = read(visit);
    if (before == null) {
      return show(visit, 503, null);
    }
    Profile profile = before.withName(form.data().get("name"));
    if (picture != null) {
      profile = profile.withPicture(picture);
    } else if (!form.data().get("remove").isEmpty()) {
      profile = profile.withPicture(null);
    }
    Iq answer = parts.requests().ask(visit.account(), Iq.Type.SET, profile.vcard());
    if (answer.type() == Iq.Type.RESULT) {
      return Visit.done("profile", "saved");
    }
    boolean large =
        has(answer, ErrorCondition.POLICY_VIOLATION)
            || has(answer, ErrorCondition.RESOURCE_CONSTRAINT);
    return large
        ? show(visit, 422, visit.text("account.problem.picture-size", size))
        : show(visit, 503, visit.text("account.problem.unavailable"));
  }

  /// The picture.
  HttpResponse picture(Visit visit) {
    Profile profile = read(visit);
    Profile.Picture picture = profile == null ? null : profile.picture();
    if (picture == null) {
      throw new HttpException(404, "There is no picture.");
    }
    return Visit.unstored(HttpResponse.bytes(200, picture.type(), picture.bytes()));
  }
}
