/**
 * Types of files, each with its endings and other names. It is made by scripts/fileEndings.mts,
 * which says how to read it, of mime-db 1.54.0 (MIT License, Jonathan Ong and Douglas
 * Christopher Wilson).
 */
export const FILE_ENDINGS = `
image/jpeg jpg .jpe .jfif image/jpg image/pjpeg jpeg
image/png png apng image/apng
image/webp webp
image/gif gif
image/bmp bmp image/ms-bmp dib
image/tiff tiff image/tif tif
image/heic heic +heif
image/heif heif +heic
image/avif avif
image/svg+xml svg svgz
video/mp4 mp4 m4v video/m4v mp4v mpg4
video/3gpp 3gp .3gpp 3g2
video/quicktime mov .qt
video/webm webm
video/x-matroska mkv video/matroska mk3d mks
video/x-msvideo avi video/avi video/msvideo video/vnd.avi
video/mpeg mpg video/mp1s video/mp2p mpeg mpe m1v m2v
video/ogg ogv
audio/mpeg mp3 .mpga audio/mp3 audio/mpeg3 audio/mpeg-3 audio/mpg mp2 mp2a m2a m3a
audio/mp4 m4a audio/m4a mp4a m4b
audio/ogg ogg .oga .ogx .opus application/ogg spx
audio/opus +ogg
audio/wav wav audio/vnd.wave audio/wave audio/pn-wav
audio/webm +webm .weba
audio/x-matroska mka audio/matroska
audio/flac flac
audio/aac aac audio/aacp audio/hx-aac-adts adts
audio/amr amr
audio/3gpp +3gp
application/pdf pdf
application/rtf rtf
application/json json +map
application/msword doc +dot
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.ms-powerpoint ppt pps +pot
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
text/csv csv application/csv
text/html html htm shtml
text/xml xml application/xml
text/markdown md markdown
text/calendar ics ifb
text/vcard vcf text/directory vcard
text/tab-separated-values tsv
text/yaml yaml yml
application/zip zip application/zip-compressed
application/epub+zip epub
text/plain txt +md +csv +tsv +json +xml +yaml +yml +ics +vcf +text conf +def +list log +in ini
application/vnd.ms-excel xls +csv xlm xla xlc xlt xlw
application/vnd.ms-excel.addin.macroenabled.12 xlam
application/vnd.ms-excel.sheet.binary.macroenabled.12 xlsb
application/vnd.ms-excel.sheet.macroenabled.12 xlsm
application/vnd.ms-excel.template.macroenabled.12 xltm
application/vnd.ms-powerpoint.addin.macroenabled.12 ppam
application/vnd.ms-powerpoint.presentation.macroenabled.12 pptm
application/vnd.ms-powerpoint.slide.macroenabled.12 sldm
application/vnd.ms-powerpoint.slideshow.macroenabled.12 ppsm
application/vnd.ms-powerpoint.template.macroenabled.12 potm
application/vnd.ms-word.document.macroenabled.12 docm
application/vnd.ms-word.template.macroenabled.12 dotm
application/vnd.oasis.opendocument.presentation odp
application/vnd.oasis.opendocument.presentation-template otp
application/vnd.oasis.opendocument.spreadsheet ods
application/vnd.oasis.opendocument.spreadsheet-template ots
application/vnd.oasis.opendocument.text odt
application/vnd.oasis.opendocument.text-template ott
application/vnd.openxmlformats-officedocument.presentationml.slide sldx
application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx
application/vnd.openxmlformats-officedocument.presentationml.template potx
application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx
application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx
`;
