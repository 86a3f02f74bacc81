# shellcheck shell=sh
# The list of all components with versions, licences and checksums, in the form of CycloneDX:
# zonda-VERSION.cdx.json.

make_sbom() {
  stage_product "$work/sbom"
  components sbom "$work/sbom" "$out/zonda-$version.cdx.json"
  rm -rf "$work/sbom"
}
